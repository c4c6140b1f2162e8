//! Models, that is changes of the base input: checked by evaluation, minimised, and compared with what another solver says.

pub mod check;
pub mod cross_check;
pub mod minimise;

//! How wide the terminal is.

/// Where there is no terminal to ask.
const USUAL: usize = 100;
/// Narrower than this nothing can be read.
const LEAST: usize = 40;

/// Columns of what standard output goes to.
pub fn width() -> usize {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the kernel writes the size of the terminal, if it is one, to a structure made for that.
    let answer = unsafe { libc::ioctl(libc::STDOUT_FILENO, libc::TIOCGWINSZ, &mut size) };
    match (answer, size.ws_col) {
        (0, columns @ 1..) => usize::from(columns).max(LEAST),
        _ => USUAL,
    }
}

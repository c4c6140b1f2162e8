//! Intervals of real numbers: what a term may be, when its operands lie in intervals.

/// From `low` to `high`, both included; empty when `low` is above `high`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    pub const ALL: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };

    pub fn new(low: f64, high: f64) -> Interval {
        if low.is_nan() || high.is_nan() { Interval::ALL } else { Interval { low, high } }
    }

    pub fn at(number: f64) -> Interval {
        Interval::new(number, number)
    }

    pub fn at_most(high: f64) -> Interval {
        Interval::new(f64::NEG_INFINITY, high)
    }

    pub fn at_least(low: f64) -> Interval {
        Interval::new(low, f64::INFINITY)
    }

    pub fn is_empty(self) -> bool {
        self.low > self.high
    }

    pub fn meet(self, other: Interval) -> Interval {
        Interval { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    pub fn plus(self, other: Interval) -> Interval {
        Interval::new(self.low + other.low, self.high + other.high)
    }

    pub fn minus(self, other: Interval) -> Interval {
        self.plus(other.negated())
    }

    pub fn negated(self) -> Interval {
        Interval { low: -self.high, high: -self.low }
    }

    pub fn times(self, other: Interval) -> Interval {
        let products = [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        // Nothing times anything is nothing.
        let products = products.map(|product| if product.is_nan() { 0.0 } else { product });
        Interval::hull(&products)
    }

    /// All numbers when the divisor may be 0.
    pub fn over(self, other: Interval) -> Interval {
        if other.low <= 0.0 && other.high >= 0.0 {
            return Interval::ALL;
        }
        self.times(Interval { low: 1.0 / other.high, high: 1.0 / other.low })
    }

    pub fn magnitude(self) -> Interval {
        let high = self.low.abs().max(self.high.abs());
        let low = if self.low <= 0.0 && self.high >= 0.0 { 0.0 } else { self.low.abs().min(self.high.abs()) };
        Interval { low, high }
    }

    /// The numbers whose magnitudes are these, as far as the signs in `signs` allow.
    pub fn of_magnitude(self, signs: Interval) -> Interval {
        if signs.low >= 0.0 {
            Interval::at_least(self.low.max(0.0)).meet(Interval::at_most(self.high))
        } else if signs.high <= 0.0 {
            Interval::new(-self.high, -self.low.max(0.0))
        } else {
            Interval::new(-self.high, self.high)
        }
    }

    /// Through a function that never falls.
    pub fn through(self, rising: impl Fn(f64) -> f64) -> Interval {
        Interval::new(rising(self.low), rising(self.high))
    }

    fn hull(numbers: &[f64]) -> Interval {
        let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        Interval::new(low, numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max))
    }
}

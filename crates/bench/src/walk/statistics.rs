//! Medians, variances, and the test of Mann and Whitney.

pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[n / 2],
        n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
    }
}

pub fn variance(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count
}

/// The two-sided probability that two samples of one distribution differ as much as these (normal approximation with
/// corrections for ties and continuity). 1 when all values are equal.
pub fn mann_whitney(a: &[f64], b: &[f64]) -> f64 {
    let (n, m) = (a.len() as f64, b.len() as f64);
    let all: Vec<f64> = a.iter().chain(b).copied().collect();
    let rank = |x: f64| {
        let below = all.iter().filter(|y| **y < x).count() as f64;
        let equal = all.iter().filter(|y| **y == x).count() as f64;
        below + (equal + 1.0) / 2.0
    };
    let ranks: f64 = a.iter().map(|x| rank(*x)).sum();
    let u = ranks - n * (n + 1.0) / 2.0;
    let total = n + m;
    // The sum of t^3 - t over groups of equal values is the sum of t^2 - 1 over the values.
    let ties: f64 = all.iter().map(|x| (all.iter().filter(|y| *y == x).count() as f64).powi(2) - 1.0).sum();
    let spread = n * m / 12.0 * (total + 1.0 - ties / (total * (total - 1.0)));
    if spread <= 0.0 {
        return 1.0;
    }
    let z = ((u - n * m / 2.0).abs() - 0.5).max(0.0) / spread.sqrt();
    // 2 * (1 - phi(z)), by the continued fraction of Abramowitz and Stegun 26.2.17.
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let polynomial =
        t * (0.319_381_530 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (2.0 * density * polynomial).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_variances() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[1.0, 2.0, 3.0, 4.0]), 2.5);
        assert_eq!(variance(&[1.0, 3.0]), 1.0);
    }

    #[test]
    fn samples_apart_differ_and_equal_ones_do_not() {
        let low = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        let high = low.map(|x| x + 100.0);
        let p = mann_whitney(&low, &high);
        // scipy: mannwhitneyu(range(1,8), range(101,108), method='asymptotic') gives 0.00216...
        assert!((p - 0.002_165).abs() < 2e-5, "{p}");
        assert_eq!(mann_whitney(&[1.0; 7], &[1.0; 7]), 1.0);
        assert!(mann_whitney(&low, &low) > 0.9);
    }
}

//! What a broker accepts beyond names and single values. Shared by the judge and the simulated cluster.

/// The share of keys that keep their partition when a topic goes from `from` to `to` partitions and producers use `hash(key) % n`.
///
/// Of the residues modulo lcm(from, to) exactly min(from, to) give the same partition under both counts, so the share is min / lcm.
/// Returned as a reduced fraction (numerator, denominator); `None` where a count is 0.
pub fn kept_share(from: u32, to: u32) -> Option<(u64, u64)> {
    if from == 0 || to == 0 {
        return None;
    }
    let (from, to) = (u64::from(from), u64::from(to));
    let lcm = from / gcd(from, to) * to;
    let least = from.min(to);
    let common = gcd(least, lcm);
    Some((least / common, lcm / common))
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts by brute force over one whole period of both moduli.
    fn counted(from: u32, to: u32) -> f64 {
        let period = u64::from(from) * u64::from(to);
        let same = (0..period).filter(|hash| hash % u64::from(from) == hash % u64::from(to)).count();
        same as f64 / period as f64
    }

    #[test]
    fn the_share_of_keys_that_stay_is_what_counting_finds() {
        for from in 1..=24 {
            for to in 1..=24 {
                let (n, d) = kept_share(from, to).unwrap();
                assert!((n as f64 / d as f64 - counted(from, to)).abs() < 1e-12, "{from} -> {to}");
            }
        }
        assert_eq!(kept_share(6, 12), Some((1, 2)));
        assert_eq!(kept_share(6, 8), Some((1, 4)));
    }
}

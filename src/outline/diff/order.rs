//! Which of some siblings changed places: all but the heaviest run that keeps its order.

/// For siblings in their later order, each with its earlier place and a weight: whether it moved past others.
/// O(n log n): the best run that ends at each place, in a Fenwick tree of maxima.
pub(super) fn moved(places: &[(usize, u64)]) -> Vec<bool> {
    let mut sorted: Vec<usize> = places.iter().map(|(place, _)| *place).collect();
    sorted.sort_unstable();
    let mut best = Maxima(vec![(0, None); sorted.len() + 1]);
    let mut before: Vec<Option<usize>> = vec![None; places.len()];
    for (at, &(place, weight)) in places.iter().enumerate() {
        let rank = sorted.partition_point(|&other| other < place);
        let (sum, last) = best.up_to(rank);
        before[at] = last;
        best.raise(rank, (sum + weight, Some(at)));
    }
    let mut moved = vec![true; places.len()];
    let (_, mut kept) = best.up_to(sorted.len());
    while let Some(at) = kept {
        moved[at] = false;
        kept = before[at];
    }
    moved
}

/// The largest sum among the first places, and where it ends.
struct Maxima(Vec<(u64, Option<usize>)>);

impl Maxima {
    fn up_to(&self, count: usize) -> (u64, Option<usize>) {
        let (mut at, mut best) = (count, (0, None));
        while at > 0 {
            if self.0[at].0 > best.0 {
                best = self.0[at];
            }
            at &= at - 1;
        }
        best
    }

    fn raise(&mut self, place: usize, sum: (u64, Option<usize>)) {
        let mut at = place + 1;
        while at < self.0.len() {
            if sum.0 > self.0[at].0 {
                self.0[at] = sum;
            }
            at += at & at.wrapping_neg();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::moved;

    #[test]
    fn the_lightest_moves() {
        let plain = |places: &[usize]| {
            let places: Vec<(usize, u64)> = places.iter().map(|&place| (place, 1)).collect();
            moved(&places)
        };
        assert!(plain(&[]).is_empty());
        assert_eq!(plain(&[4, 7, 9]), [false; 3]);
        assert_eq!(plain(&[1, 2, 0]), [false, false, true]);
        assert_eq!(plain(&[2, 0, 1]), [true, false, false]);
        assert_eq!(moved(&[(1, 3), (0, 4)]), [true, false]);
        assert_eq!(moved(&[(1, 4), (0, 3)]), [false, true]);
    }
}

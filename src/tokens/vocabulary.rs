//! How many tokens a piece of text is: itself one, or what byte pair merges leave of it. Asks the table that `build.rs` made
//! for ranks; there is nothing to load, and only the pages that are asked for are read.
//!
//! Merging takes the pair of the lowest rank, the leftmost of equals, until no pair is a token. A short piece is searched
//! anew each time; for a longer one the pairs are kept by rank; a very long one is merged in windows, so that memory does not
//! grow with it.

use super::hash::{LONGEST, RANK_BITS, hash};

pub static O200K: Vocabulary = Vocabulary(include_bytes!(concat!(env!("OUT_DIR"), "/o200k.table")));
pub static CL100K: Vocabulary =
    Vocabulary(include_bytes!(concat!(env!("OUT_DIR"), "/cl100k.table")));

/// The ranks of a vocabulary, as `hash` describes them.
pub struct Vocabulary(&'static [u8]);

/// Rank of what is no token.
pub const NONE: u32 = u32::MAX;
/// Bytes up to which searching all pairs for the lowest beats keeping them by rank.
const SHORT: usize = 96;
/// Bytes merged at once.
pub const WINDOW: usize = 1 << 15;

/// What merging needs to remember; kept from piece to piece.
#[derive(Default)]
pub struct Scratch {
    /// Of a part, by the byte it begins at: where it ends, where the one before it begins, the rank of it and the next.
    end: Vec<u32>,
    before: Vec<u32>,
    rank: Vec<u32>,
    /// Pairs as a place and the pair of the same rank put before; the last of each rank, plus one; one bit a rank that has any.
    pairs: Vec<(u32, u32)>,
    last: Vec<u32>,
    ranks: Vec<u64>,
    /// Ranks below this one are done.
    next: u32,
    /// Places of the pairs of one rank.
    equals: Vec<u32>,
    cuts: Vec<Cut>,
}

/// Where a window begins.
#[derive(Clone, Copy)]
struct Cut {
    at: usize,
    /// Where the token before it begins.
    before: usize,
    /// Tokens before it.
    count: usize,
    /// Bytes of the window.
    size: usize,
}

impl Vocabulary {
    /// Tokens of one piece, and its rank if it is one.
    #[inline]
    pub fn count(&self, piece: &[u8], scratch: &mut Scratch) -> (usize, u32) {
        let rank = self.rank(piece);
        let tokens = match rank {
            NONE if piece.len() <= SHORT => self.short(piece),
            NONE => self.long(piece, WINDOW, scratch),
            _ => 1,
        };
        (tokens, rank)
    }

    /// The rank of these bytes, if they are a token.
    #[inline]
    fn rank(&self, bytes: &[u8]) -> u32 {
        if bytes.len() > LONGEST {
            return NONE;
        }
        let (slots, _) = self.0.as_chunks::<8>();
        let hash = hash(bytes);
        let mut at = hash as usize;
        loop {
            let slot = u64::from_le_bytes(slots[at & (slots.len() - 1)]);
            if slot >> RANK_BITS <= hash >> RANK_BITS {
                let is_token = slot != 0 && slot >> RANK_BITS == hash >> RANK_BITS;
                let rank = (slot & ((1 << RANK_BITS) - 1)) as u32;
                return if is_token { rank - 1 } else { NONE };
            }
            at += 1;
        }
    }

    fn short(&self, piece: &[u8]) -> usize {
        let mut starts: [u8; SHORT + 1] = std::array::from_fn(|at| at as u8);
        let mut ranks = [NONE; SHORT];
        let mut parts = piece.len();
        for at in 0..parts - 1 {
            ranks[at] = self.rank(&piece[at..at + 2]);
        }
        loop {
            // Of `parts` parts, `parts - 1` begin a pair.
            let pairs = &ranks[..parts - 1];
            let lowest = pairs.iter().copied().min().unwrap_or(NONE);
            if lowest == NONE {
                return parts;
            }
            let at = pairs.iter().position(|&rank| rank == lowest).unwrap_or(0);
            starts.copy_within(at + 2..=parts, at + 1);
            ranks.copy_within(at + 1..parts - 1, at);
            parts -= 1;
            let pair = |at: usize| match at + 2 <= parts {
                true => self.rank(&piece[starts[at] as usize..starts[at + 2] as usize]),
                false => NONE,
            };
            ranks[at] = pair(at);
            if at > 0 {
                ranks[at - 1] = pair(at - 1);
            }
        }
    }

    /// A piece of any length, window by window.
    ///
    /// Tokens of a window stand for what the whole would have there if each token and the one behind it stay two when they
    /// are merged alone: a sequence of which that holds for all neighbours is what merging the whole gives. Inside of a
    /// window it holds; where two meet it is checked, and if it fails, which takes hundreds of bytes that depend on what
    /// follows them, the window before is made twice as large.
    pub fn long(&self, piece: &[u8], window: usize, scratch: &mut Scratch) -> usize {
        scratch.cuts.clear();
        let mut cut = Cut {
            at: 0,
            before: 0,
            count: 0,
            size: window,
        };
        loop {
            let end = piece.len().min(cut.at + cut.size);
            let text = &piece[cut.at..end];
            self.merge(text, scratch);
            let first = cut.at + scratch.end[0] as usize;
            if cut.at > 0 && !self.stay_two(piece, cut.before, cut.at, first) {
                cut = scratch.cuts.pop().unwrap_or(cut);
                cut.size *= 2;
                continue;
            }
            // The last ones may be other tokens once more of the text is known.
            let sure = match end == piece.len() {
                true => text.len(),
                false => text.len() - text.len() / 16,
            };
            let next = scratch.walk(cut, sure, window);
            if next.at == piece.len() {
                return next.count;
            }
            scratch.cuts.push(cut);
            cut = next;
        }
    }

    /// Whether the tokens `start..middle` and `middle..end` are what their bytes together are merged to.
    fn stay_two(&self, piece: &[u8], start: usize, middle: usize, end: usize) -> bool {
        let mut scratch = Scratch::default();
        self.merge(&piece[start..end], &mut scratch);
        let end_of = |at: usize| start + scratch.end[at - start] as usize;
        end_of(start) == middle && end_of(middle) == end
    }

    /// Merges a text; leaves the ends of its tokens in `scratch`.
    ///
    /// A merge makes pairs of higher ranks only - each token is made of tokens of lower ranks - so that ranks are done once,
    /// in their order, and all pairs of a rank are known when its turn comes.
    fn merge(&self, text: &[u8], scratch: &mut Scratch) {
        scratch.begin(text.len());
        for (at, pair) in text.windows(2).enumerate() {
            scratch.put(at, self.rank(pair));
        }
        while let Some(rank) = scratch.take_lowest() {
            for index in 0..scratch.equals.len() {
                let left = scratch.equals[index] as usize;
                // One of its parts went into another token.
                if scratch.rank[left] != rank {
                    continue;
                }
                scratch.join(left);
                let pair = |scratch: &mut Scratch, at: usize| {
                    let middle = scratch.end[at] as usize;
                    let rank = match middle < text.len() {
                        true => self.rank(&text[at..scratch.end[middle] as usize]),
                        false => NONE,
                    };
                    scratch.put(at, rank);
                };
                pair(scratch, left);
                if left > 0 {
                    pair(scratch, scratch.before[left] as usize);
                }
            }
        }
    }
}

impl Scratch {
    /// One part a byte, no pairs.
    fn begin(&mut self, length: usize) {
        let length = length as u32;
        self.end.clear();
        self.end.extend(1..=length);
        self.before.clear();
        self.before
            .extend((0..length).map(|at| at.saturating_sub(1)));
        self.rank.clear();
        self.rank.resize(length as usize, NONE);
        self.pairs.clear();
        self.last.resize(1 << RANK_BITS, 0);
        self.ranks.resize((1 << RANK_BITS) / 64, 0);
        self.next = 0;
    }

    /// The part at `at` and the next are a pair of this rank.
    #[inline]
    fn put(&mut self, at: usize, rank: u32) {
        debug_assert!(rank >= self.next, "a merge made a pair of a lower rank");
        self.rank[at] = rank;
        if rank != NONE {
            self.pairs.push((at as u32, self.last[rank as usize]));
            self.last[rank as usize] = self.pairs.len() as u32;
            self.ranks[rank as usize / 64] |= 1 << (rank % 64);
        }
    }

    /// The lowest rank with pairs; these are moved into `equals`, from left to right.
    fn take_lowest(&mut self) -> Option<u32> {
        let from = self.next as usize / 64;
        let empty = self.ranks[from..].iter().take_while(|&&word| word == 0);
        let at = from + empty.count();
        let word = self.ranks.get_mut(at)?;
        let rank = 64 * at as u32 + word.trailing_zeros();
        *word &= *word - 1;
        self.next = rank + 1;
        let mut last = std::mem::take(&mut self.last[rank as usize]);
        self.equals.clear();
        while let Some(&(at, before)) = self.pairs.get((last as usize).wrapping_sub(1)) {
            self.equals.push(at);
            last = before;
        }
        self.equals.sort_unstable();
        Some(rank)
    }

    /// Makes one part of the one at `left` and the next.
    fn join(&mut self, left: usize) {
        let right = self.end[left] as usize;
        self.end[left] = self.end[right];
        self.rank[right] = NONE;
        if let Some(before) = self.before.get_mut(self.end[left] as usize) {
            *before = left as u32;
        }
    }

    /// The cut behind the tokens of the merged window at `cut` that end within its first `sure` bytes, one at least.
    fn walk(&self, cut: Cut, sure: usize, window: usize) -> Cut {
        let (mut at, mut before, mut count) = (0, 0, cut.count);
        while at < self.end.len() && (at == 0 || self.end[at] as usize <= sure) {
            before = at;
            at = self.end[at] as usize;
            count += 1;
        }
        Cut {
            at: cut.at + at,
            before: cut.at + before,
            count,
            size: window,
        }
    }
}

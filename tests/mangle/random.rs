//! Numbers without rhyme or reason that are the same in every run.

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        // Seeds that are near must not begin alike, and zero would stay zero.
        let mut state = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Random((state ^ (state >> 31)) | 1)
    }

    /// A state of its own for every name and number.
    pub fn of(seed: u64, name: &str, number: u64) -> Random {
        let hash = name.bytes().fold(seed, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Random::new(hash.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    /// A number below `count`; 0 if there is none.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    pub fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }

    /// A byte that is no NUL: that would make the file a binary one.
    pub fn byte(&mut self) -> u8 {
        (self.next() as u8).max(1)
    }
}

//! Classes of characters, one bit each, as the splitting patterns tell them apart. Shared with `build.rs`, which writes the
//! table of them.

pub const OTHER: u8 = 1;
/// Lu and Lt.
pub const UPPER: u8 = 1 << 1;
/// Ll.
pub const LOWER: u8 = 1 << 2;
/// Lm and Lo: these count as upper and as lower case.
pub const CASELESS: u8 = 1 << 3;
/// M.
pub const MARK: u8 = 1 << 4;
/// N.
pub const NUMBER: u8 = 1 << 5;
/// White space that ends no line.
pub const SPACE: u8 = 1 << 6;
/// CR and LF.
pub const NEWLINE: u8 = 1 << 7;

/// Characters in one block of the table.
pub const BLOCK: usize = 256;

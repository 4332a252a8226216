//! Counts the tokens of a text: o200k and cl100k exactly, Claude's by an estimate that says by how much it may be wrong.
//!
//! A run of the program must cost what `rg` costs, so nothing is loaded: the vocabularies are tables in read-only data
//! (`hash`, written by `build.rs`), the expressions that cut a text into pieces are written by hand (`split`), and each piece
//! is looked up or merged (`vocabulary`). A crate that loads a vocabulary takes 50 to 500 ms before its first token. Mixed
//! source is counted at 130 MB/s (o200k) and 100 MB/s (cl100k, claude~); a megabyte of one character, of base64, of emoji, of
//! random Han or letters takes 12 to 60 ms. `cargo bench --bench tokens` measures both. The counts are those of the
//! tiktoken crate, which the tests compare with. Knows text only: no files, no budgets.

mod class;
mod claude;
mod hash;
mod split;
#[cfg(test)]
mod tests;
mod vocabulary;

use std::fmt;

use claude::{Estimate, Piece};
use vocabulary::{CL100K, O200K, Scratch, Vocabulary};

/// Whose tokens are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tokenizer {
    /// OpenAI's, GPT-4o and later. Exact.
    O200k,
    /// OpenAI's, GPT-3.5 and GPT-4. Exact.
    Cl100k,
    /// Anthropic's, Opus 4.7 and later. An estimate.
    Claude,
}

/// What a count may be off by, as parts of the true one: `low` is negative where it may be too small.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    pub low: f32,
    pub high: f32,
}

impl Tokenizer {
    pub const ALL: [Tokenizer; 3] = [Tokenizer::O200k, Tokenizer::Cl100k, Tokenizer::Claude];

    /// As printed: an estimate is marked.
    pub fn name(self) -> &'static str {
        match self {
            Tokenizer::O200k => "o200k",
            Tokenizer::Cl100k => "cl100k",
            Tokenizer::Claude => "claude~",
        }
    }

    /// As printed or as typed.
    pub fn from_name(name: &str) -> Option<Tokenizer> {
        let matches =
            |known: &Tokenizer| known.name().trim_end_matches('~') == name.trim_end_matches('~');
        Tokenizer::ALL.into_iter().find(matches)
    }

    /// What its counts may be off by; none for those that are exact.
    pub fn error(self) -> Option<Band> {
        (self == Tokenizer::Claude).then_some(claude::ERROR)
    }

    /// The tokens of a text. Bytes that are not UTF-8 count as the replacement characters they are shown as.
    pub fn count(self, text: &[u8]) -> usize {
        let text = String::from_utf8_lossy(text);
        let text = text.as_bytes();
        match self {
            Tokenizer::O200k => count(text, &O200K, split::o200k),
            Tokenizer::Cl100k => count(text, &CL100K, split::cl100k),
            Tokenizer::Claude => {
                let mut estimate = Estimate::default();
                claude_pieces(text, |piece| estimate.add(piece));
                estimate.tokens()
            }
        }
    }
}

impl fmt::Display for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How much of each feature of the estimate a text has.
#[allow(dead_code, reason = "the benchmark prints them for fitting")]
pub fn features(text: &[u8]) -> [usize; claude::FEATURES] {
    let mut features = [0; claude::FEATURES];
    claude_pieces(String::from_utf8_lossy(text).as_bytes(), |piece| {
        piece.features(|feature, amount| features[feature] += amount);
    });
    features
}

#[inline(always)]
fn count(text: &[u8], vocabulary: &Vocabulary, split: impl Fn(&[u8], usize) -> usize) -> usize {
    let (mut at, mut tokens, mut scratch) = (0, 0, Scratch::default());
    while at < text.len() {
        let end = split(text, at);
        tokens += vocabulary.count(&text[at..end], &mut scratch).0;
        at = end;
    }
    tokens
}

#[inline(always)]
fn claude_pieces(text: &[u8], mut each: impl FnMut(&Piece<'_>)) {
    let (mut at, mut scratch) = (0, Scratch::default());
    while at < text.len() {
        let end = split::o200k(text, at);
        let piece = &text[at..end];
        let (tokens, rank) = O200K.count(piece, &mut scratch);
        each(&Piece {
            text: piece,
            tokens,
            rank,
            behind: if at > 0 { text[at - 1] } else { 0 },
        });
        at = end;
    }
}

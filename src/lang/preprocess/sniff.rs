//! Tells by its text whether a header is meant for C++ alone. What stands under `#ifdef __cplusplus` says nothing: C headers
//! guard their C++ parts so.

use super::conditions::directive;
use super::lexer::{Lexeme, Token, is_word, tokens};

pub fn is_cpp(text: &[u8]) -> bool {
    let tokens = tokens(text);
    let mut guards: Vec<Guard> = vec![];
    let mut guarded = 0;
    for (at, token) in tokens.iter().enumerate() {
        if token.lexeme != Lexeme::Directive {
            if guarded == 0 && is_sign(text, &tokens, at) {
                return true;
            }
            continue;
        }
        let (word, rest) = directive(&text[token.range()]);
        let before = guards.last().is_some_and(|guard| guard.cpp);
        match word {
            b"if" | b"ifdef" | b"ifndef" => guards.push(Guard::new(word, rest)),
            b"else" | b"elif" => {
                if let Some(guard) = guards.last_mut() {
                    guard.cpp = guard.about && !guard.cpp;
                    guarded = guarded + usize::from(guard.cpp) - usize::from(before);
                }
                continue;
            }
            b"endif" => {
                guards.pop();
                guarded -= usize::from(before);
                continue;
            }
            b"include" if guarded == 0 && is_standard_header(rest) => return true,
            _ => continue,
        }
        guarded += usize::from(guards.last().is_some_and(|guard| guard.cpp));
    }
    false
}

/// One open `#if`: whether it asks for C++, and whether its present branch is for C++.
struct Guard {
    about: bool,
    cpp: bool,
}

impl Guard {
    fn new(word: &[u8], condition: &[u8]) -> Guard {
        let has = |wanted: &[u8]| condition.windows(wanted.len()).any(|part| part == wanted);
        let about = has(b"__cplusplus");
        let negated = word == b"ifndef" || has(b"!defined") || has(b"! defined");
        Guard {
            about,
            cpp: about && !negated,
        }
    }
}

/// `<vector>`, which no C compiler has.
fn is_standard_header(path: &[u8]) -> bool {
    let name = path
        .strip_prefix(b"<")
        .and_then(|rest| rest.split(|&byte| byte == b'>').next());
    name.is_some_and(|name| !name.is_empty() && name.iter().all(|&byte| is_word(byte)))
}

/// A token that means C++ where it stands; the words alone can be names in C.
fn is_sign(text: &[u8], tokens: &[Token], at: usize) -> bool {
    let token = tokens[at];
    let word = |at: usize| {
        tokens
            .get(at)
            .filter(|token| token.is_word())
            .map_or(&b""[..], |token| &text[token.range()])
    };
    let next = tokens.get(at + 1);
    let next_is = |byte: u8| next.is_some_and(|next| next.is(byte));
    let next_word = !word(at + 1).is_empty();
    if token.lexeme == Lexeme::Scope {
        return next_word && at > 0 && !word(at - 1).is_empty();
    }
    match word(at) {
        b"namespace" => next_word || next_is(b'{'),
        b"template" | b"static_cast" | b"reinterpret_cast" | b"const_cast" | b"dynamic_cast" => {
            next_is(b'<')
        }
        b"class" | b"typename" | b"virtual" | b"friend" | b"explicit" => {
            next_word && at > 0 && !matches!(word(at - 1), b"struct" | b"union")
        }
        b"using" => {
            next_word
                && (word(at + 1) == b"namespace"
                    || tokens.get(at + 2).is_some_and(|token| token.is(b'=')))
        }
        b"public" | b"private" | b"protected" => token.leads && next_is(b':'),
        b"operator" => next.is_some_and(|next| {
            matches!(
                next.lexeme,
                Lexeme::Punct(b'=' | b'+' | b'-' | b'<' | b'>' | b'[' | b'!' | b'*' | b'&')
            )
        }),
        b"extern" => next.is_some_and(|next| next.lexeme == Lexeme::Literal),
        b"default" | b"delete" => at > 0 && tokens[at - 1].is(b'=') && next_is(b';'),
        _ => false,
    }
}

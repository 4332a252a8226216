//! The words of the language itself, by the part they play in a declaration.

use super::Dialect;
use super::lexer::Token;

/// The text of a token. In C the keywords of C++ are names like any other.
pub fn word(text: &[u8], token: Token, dialect: Dialect) -> &[u8] {
    match &text[token.range()] {
        b"class" | b"public" | b"protected" | b"private" | b"namespace" | b"template"
        | b"using" | b"virtual" | b"explicit" | b"friend" | b"operator" | b"new" | b"delete"
        | b"this" | b"typename" | b"mutable" | b"concept" | b"final" | b"override" | b"throw"
        | b"try" | b"requires" | b"noexcept" | b"decltype"
            if dialect == Dialect::C =>
        {
            b"$"
        }
        word => word,
    }
}

pub fn is_class_key(word: &[u8]) -> bool {
    matches!(word, b"class" | b"struct" | b"union" | b"enum")
}

pub fn is_access(word: &[u8]) -> bool {
    matches!(word, b"public" | b"protected" | b"private")
}

/// Words that can follow a function's parameters.
pub fn is_trailing(word: &[u8]) -> bool {
    matches!(
        word,
        b"const"
            | b"volatile"
            | b"noexcept"
            | b"override"
            | b"final"
            | b"throw"
            | b"try"
            | b"requires"
            | b"mutable"
            | b"__attribute__"
            | b"__attribute"
            | b"asm"
            | b"__asm__"
            | b"__asm"
    )
}

/// How a function is called, a word that is no part of what it is.
pub fn is_convention(word: &[u8]) -> bool {
    matches!(
        word,
        b"__cdecl" | b"__stdcall" | b"__fastcall" | b"__thiscall" | b"__vectorcall" | b"__clrcall"
    )
}

/// Words that name a type by themselves.
pub fn is_builtin(word: &[u8]) -> bool {
    matches!(
        word,
        b"void"
            | b"char"
            | b"short"
            | b"int"
            | b"long"
            | b"float"
            | b"double"
            | b"signed"
            | b"unsigned"
            | b"bool"
            | b"_Bool"
            | b"auto"
            | b"decltype"
            | b"typeof"
            | b"__typeof__"
            | b"wchar_t"
            | b"char8_t"
            | b"char16_t"
            | b"char32_t"
            | b"size_t"
            | b"ssize_t"
            | b"int8_t"
            | b"int16_t"
            | b"int32_t"
            | b"int64_t"
            | b"uint8_t"
            | b"uint16_t"
            | b"uint32_t"
            | b"uint64_t"
            | b"intptr_t"
            | b"uintptr_t"
            | b"ptrdiff_t"
    )
}

/// Words a declaration can begin with and no type or macro in front of them is part of it.
pub fn is_starter(word: &[u8]) -> bool {
    is_class_key(word)
        || is_access(word)
        || matches!(
            word,
            b"namespace"
                | b"template"
                | b"using"
                | b"typedef"
                | b"extern"
                | b"static"
                | b"friend"
                | b"inline"
                | b"virtual"
                | b"explicit"
                | b"constexpr"
                | b"consteval"
                | b"constinit"
                | b"static_assert"
                | b"_Static_assert"
                | b"mutable"
                | b"register"
                | b"typename"
                | b"thread_local"
                | b"concept"
        )
}

pub fn is_keyword(word: &[u8]) -> bool {
    is_starter(word)
        || is_builtin(word)
        || is_trailing(word)
        || is_convention(word)
        || matches!(
            word,
            b"restrict"
                | b"__restrict"
                | b"__restrict__"
                | b"__extension__"
                | b"__inline"
                | b"__inline__"
                | b"__forceinline"
                | b"_Noreturn"
                | b"noreturn"
                | b"_Atomic"
                | b"_Thread_local"
                | b"__thread"
                | b"alignas"
                | b"_Alignas"
                | b"__declspec"
                | b"operator"
                | b"return"
                | b"if"
                | b"else"
                | b"for"
                | b"while"
                | b"do"
                | b"switch"
                | b"case"
                | b"default"
                | b"goto"
                | b"break"
                | b"continue"
                | b"sizeof"
                | b"new"
                | b"delete"
                | b"this"
                | b"_Nonnull"
                | b"co_await"
        )
}

/// Whether there is a type and a name, or a type the language has, in a list that begins with its bracket.
pub fn are_parameters(text: &[u8], list: &[Token]) -> bool {
    list.windows(2).any(|pair| {
        let named = pair[0].is_word() || pair[0].is(b'*');
        pair[1].is_word() && (named || is_builtin(&text[pair[1].range()]))
    })
}

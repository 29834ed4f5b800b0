//! Habits of other languages and other books, and what to write here instead.

/// What to do about a character that has no meaning here.
pub fn character(c: char) -> Option<&'static str> {
    Some(match c {
        '!' => "for “not” write `not`, for “differs” write `!=`",
        '%' => "the remainder of a division is `mod`: `7 mod 2`",
        '\\' | '∖' => "the difference of two sets is written `A - B`",
        '#' => "a comment begins with `//`",
        '~' | '¬' => "for “not” write `not`",
        '∧' => "write `and`",
        '∨' => "write `or`",
        '∘' | '⋅' | '•' => "words stand side by side, and the left one is done first: `X Y`",
        '÷' | '∕' => "write `/` for an exact fraction, `div` for the quotient without remainder",
        '∅' => "the empty set is `{}`",
        '∉' => "write `not in`",
        '⊂' | '⊊' => "write `subset`",
        '↦' | '⇒' | '⟶' => "write `->`",
        '…' => "a range has two dots: `1..5`",
        '`' => "strings are written with the plain `\"` of the keyboard",
        '?' => "a choice is written `if c { a } else { b }`",
        '$' => "formulas are written without dollar signs",
        _ => return None,
    })
}

/// What to write instead of a word of another language.
pub fn word(name: &str) -> Option<&'static str> {
    Some(match name {
        "import" | "include" | "using" | "load" => "another file is used with `use`: `use papers.number_rotation`",
        "def" | "function" | "func" => "a function begins with `fn`: `fn f(x) = x + 1`",
        "proc" | "procedure" | "algo" => "what acts on a board is an `algorithm`: `algorithm turn(k) { do X^k }`",
        "thorough" => {
            "`thorough` gives a `for` of a claim its larger range, or stands before it: `for n in 4..9 thorough 4..99`"
        }
        "trace" => "`trace` stands before a run: `trace run name(…)`",
        "decreases" => {
            "`decreases` stands behind the condition of `while` or `until`, or behind `loop`: `loop decreases k { … }`"
        }
        "elif" | "elsif" | "elseif" => "write `else if`",
        "const" | "set" | "define" => "a name is given with `let`: `let a = 1`",
        "null" | "None" | "nil" => "there is no such value; the empty tuple is `()`",
        "True" => "write `true`",
        "False" => "write `false`",
        "foreach" => "write `for k in 1..n { … }`",
        "echo" | "println" | "printf" | "write" => "write `print`",
        "then" | "begin" => "a block stands in braces: `if c { … }`",
        "end" | "endif" | "fi" | "done" => "a block ends with `}`",
        "xor" => "for “one of both” write `a != b`",
        "theorem" | "lemma" | "proposition" | "check" | "prove" => "write `claim \"…\" { assert … }`",
        "test" => "write `claim \"…\" { assert … }`",
        "class" | "struct" | "type" => "a puzzle is declared with `puzzle`",
        "throw" | "raise" | "panic" => "say what must be true with `assert` or `require`",
        _ => return None,
    })
}

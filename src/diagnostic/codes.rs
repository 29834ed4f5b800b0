//! Every code with its title and the text of `perm explain`.

/// A code such as `E0101`. Codes never change their meaning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Code(pub &'static str);

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

macro_rules! codes {
    ($($name:ident = $code:literal, $title:literal;)*) => {
        $(#[doc = $title] pub const $name: Code = Code($code);)*

        /// Every code with its title, in order.
        pub const ALL: &[(Code, &str)] = &[$(($name, $title)),*];
    };
}

codes! {
    // text and syntax
    UNEXPECTED = "E0101", "something does not fit where it stands";
    TOO_SHORT = "E0102", "a statement stops too early";
    UNKNOWN_CHARACTER = "E0103", "a character without meaning";
    TYPOGRAPHIC_QUOTE = "E0104", "typographic quotation marks";
    UNCLOSED_STRING = "E0105", "a string is not closed";
    UNCLOSED_BRACKET = "E0106", "a bracket is not closed";
    UNOPENED_BRACKET = "E0107", "a bracket closes nothing";
    UNCLOSED_COMMENT = "E0108", "a comment is not closed";
    TOO_DEEP = "E0109", "brackets are nested too deep";
    TOO_LONG = "E0110", "an expression or a text is too long";
    DECIMAL = "E0111", "a decimal number";
    SINGLE_EQUALS = "E0112", "`=` where `==` is meant";
    STRAY_PRIME = "E0113", "a prime with nothing before it";
    TOWER_OF_POWERS = "E0114", "a power of a power without parentheses";
    UNKNOWN_ESCAPE = "E0115", "an unknown escape in a string";
    RESERVED = "E0116", "a reserved word";
    NOT_UTF8 = "E0117", "a file that is not text";
    // names
    UNKNOWN_NAME = "E0201", "an unknown name";
    AMBIGUOUS_NAME = "E0202", "a name that can be split in two ways";
    NUMBER_NAME = "E0203", "a number in front of a move";
    DECLARED_TWICE = "E0204", "a name declared twice";
    NOT_A_PUZZLE = "E0205", "a puzzle is needed";
    WRONG_PLACE = "E0206", "a statement where it cannot stand";
    CIRCULAR = "E0207", "definitions that need each other";
    USED_BEFORE = "E0208", "a name used before it has a value";
    NOT_A_VARIABLE = "E0209", "an assignment to something that does not change";
    ADDED_TWICE = "E0210", "a member that two files add";
    // words and kinds
    BRACKET_WITHOUT_SEPARATOR = "E0301", "a bracket without comma or colon";
    BRACKET_TOO_MANY = "E0302", "a bracket with more than two parts";
    SLASH_IN_WORD = "E0303", "a slash in a word";
    POWER_OF_WORDS = "E0304", "a word as an exponent";
    NUMBER_IN_WORD = "E0305", "a number in a word";
    WORD_AND_NUMBER = "E0306", "a word compared with a number";
    OTHER_PUZZLE = "E0307", "words of different puzzles";
    FAMILY_WITHOUT_INDEX = "E0308", "a family without its index";
    NO_SUCH_MEMBER = "E0309", "a member that the family does not have";
    TUPLE_FOR_CYCLE = "E0310", "a tuple where a cycle is meant";
    CELL_TWICE = "E0311", "a cycle that names a cell twice";
    NOT_A_CELL = "E0312", "not a cell of the board";
    IMAGE_OF_LAST = "E0313", "an image under the last factor only";
    WRONG_KIND = "E0314", "a value of another kind is needed";
    NO_PUZZLE = "E0315", "no puzzle is in force";
    DIFFERENT_KINDS = "E0316", "a comparison of different kinds";
    NOT_A_SUBGROUP = "E0317", "a group that is not inside the other";
    NOT_IN_GROUP = "E0318", "a permutation that is not in the group";
    NOT_KEPT = "E0319", "a group that does not keep what it should act on";
    NOT_A_HOMOMORPHISM = "E0320", "images that belong to no homomorphism";
    NOT_CLOSED = "E0321", "a word that takes the blank away";
    ALGORITHM_NEEDS_DO = "E0322", "an algorithm used like a function";
    // puzzles
    REQUIRE_FAILED = "E0401", "a requirement is not met";
    CELLS_COLLIDE = "E0402", "a rule sends two cells to one";
    OFF_BOARD = "E0403", "a rule sends a cell off the board";
    NO_CELLS = "E0404", "a puzzle without cells";
    BAD_CELL = "E0405", "a cell that is not made of integers";
    RULE_FAILED = "E0406", "a rule that cannot be evaluated";
    WRONG_ARGUMENTS = "E0407", "the wrong number of arguments";
    NO_BLANK = "E0408", "a slide without a blank";
    BAD_PATH = "E0409", "a path that the blank cannot walk";
    // running
    DIVISION_BY_ZERO = "E0501", "a division by zero";
    INDEX_OUT_OF_RANGE = "E0502", "an index out of range";
    ASSERTION_FAILED = "E0503", "an assertion fails";
    BAD_ARGUMENT = "E0504", "an argument that a function cannot take";
    PATTERN_MISMATCH = "E0505", "a value that does not have the form of the pattern";
    TOO_MANY_CALLS = "E0506", "functions call each other too deep";
    NOT_A_FUNCTION = "E0507", "a call of something that is no function";
    IMPOSSIBLE_MOVE = "E0508", "a move that is impossible here";
    NO_BOARD = "E0509", "no board is in force";
    NOT_A_BOARD = "E0510", "something that is no arrangement of the puzzle";
    ENSURE_FAILED = "E0511", "an algorithm that does not do what it says";
    NOT_DECREASING = "E0512", "a measure that does not decrease";
    // claims
    NOTHING_CHECKED = "E0601", "a claim that checks nothing";
    BAD_RANGE = "E0602", "a range of a claim that cannot be walked";
    NOT_PROVED = "E0603", "a claim for all values that is not proved";
    // files
    CANNOT_READ = "E0701", "a file that cannot be read";
    IMPORT_CYCLE = "E0702", "files that use each other";
    NO_SUCH_MODULE = "E0703", "a module that does not exist";
    NO_SCRIPT_IN_MARKDOWN = "E0704", "a Markdown file without perm blocks";
    NOTHING_TO_TRACE = "E0705", "a script that runs no procedure";
    // budgets
    TOO_MANY_STEPS = "E0801", "the budget of steps ran out";
    TOO_MUCH_MEMORY = "E0802", "a value needs more memory than allowed";
    OUT_OF_TIME = "E0803", "the time ran out";
    INTERRUPTED = "E0804", "the run was interrupted";
    GROUP_TOO_LARGE = "E0805", "a group too large for this question";
    TOO_MANY_BOARDS = "E0806", "more arrangements than may be visited";
    SHORTEST_UNKNOWN = "E0807", "the budget ran out before a shortest word was proved";
    // the program
    INTERNAL = "E0901", "an error of the program itself";
    CONTRADICTION = "E0902", "a proof and a direct check that disagree";
}

/// The explanations, one section a code: what it means, a wrong example, the right one.
const EXPLANATIONS: &str = include_str!("explain.md");

/// A few sentences about a code, with an example of the mistake and one of its cure, as Markdown.
pub fn explain(code: Code) -> Option<&'static str> {
    let start = EXPLANATIONS.split("## ").find(|section| section.starts_with(code.0))?;
    Some(start.strip_prefix(code.0)?.trim())
}

/// The title of a code as people type it (`e0101` and `101` work too).
pub fn find(text: &str) -> Option<(Code, &'static str)> {
    let wanted = text.trim().to_uppercase();
    let digits = wanted.trim_start_matches('E');
    let number: u32 = digits.parse().ok()?;
    ALL.iter().copied().find(|(code, _)| code.0[1..].parse() == Ok(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_explained_and_every_explanation_has_a_code() {
        for (code, _) in ALL {
            assert!(explain(*code).is_some_and(|text| text.len() > 20), "{code}");
        }
        assert_eq!(EXPLANATIONS.lines().filter(|line| line.starts_with("## ")).count(), ALL.len());
    }
}

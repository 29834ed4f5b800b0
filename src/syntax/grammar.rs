//! The parser that pest makes from `grammar/*.pest`, and the names of its rules for people.

use pest_derive::Parser;

#[derive(Parser)]
#[grammar = "../grammar/lexical.pest"]
#[grammar = "../grammar/words.pest"]
#[grammar = "../grammar/syntax.pest"]
pub struct Grammar;

/// What a rule is called in "expected …"; `None` for rules that would tell nobody anything. Exhaustive on purpose:
/// a new rule needs a decision.
pub fn name_for_people(rule: Rule) -> Option<&'static str> {
    use Rule::*;
    Some(match rule {
        ident | ident_start => "a name",
        int | suffix | pattern_int => "a number",
        text => "a string",
        block | puzzle_block => "a block `{ … }`",
        expression | run | performed | factor | paren | bracket | set | plain_run | cycle_run | boolean
        | if_expression | find | amount => "a value",
        statement | let_statement | var_statement | assert_statement | claim | fn_statement | for_statement
        | while_statement | repeat_statement | loop_statement | require_statement | print_statement
        | show_statement | return_statement | algorithm | ensure_statement | trace_statement | break_statement
        | continue_statement | on_statement | use_statement | puzzle | extend => "a statement",
        puzzle_item | puzzle_let | cells_item | move_item | slide_item | blank_item => {
            "`cells`, `move`, `slide`, `blank`, `let`, `fn`, `algorithm` or `require`"
        }
        pattern | pattern_tuple => "a name or a tuple of names",
        params | extend_params => "parameters in parentheses",
        family_params | family_param => "the indices of a family, `[k]`",
        rules => "`:` and rules `cell -> cell`",
        move_rule => "a rule `cell -> cell`",
        move_value => "`= word`",
        clauses | clause | for_each | for_all => "`for name in range`",
        for_all_item | parity => "a bound such as `n >= 5`",
        condition => "`where`",
        from | start_board => "`from`",
        decreases => "`decreases`",
        on => "`on`",
        infix => "an operator",
        bracket_separator => "`,` or `:`",
        trailing_comma | message => "`,`",
        up_to | up_word | to_word => "`up to`",
        metric | by_word => "`by`",
        find_moves => "`in`",
        exponent | exponent_braces => "an exponent",
        module_path => "a module such as `papers.name`",
        otherwise => "`else`",
        shown_by_number => "`shown by number`",
        EOI => "the end of the statement",
        compat_equals => "`=`",
        WHITESPACE | separator | ident_char | compat_number_name | compat_prime | atom | operand | postfix | prime
        | power | member | exponent_sign | arg | label | prefix | minus | all_word | while_word | claim_word
        | amount_operator | cells_word | blank_word | perform_word | thorough_word | thorough_range | extra
        | keyword_statement | whole_statement | whole_item | whole_expression => return None,
    })
}

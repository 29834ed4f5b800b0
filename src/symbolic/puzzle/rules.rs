//! What rules do to one cell that stands for all: `(i, j) -> (n + 1 - j, i) where j <= n`.

use std::sync::Arc;

use super::point::{Meant, as_coordinates, as_variables};
use super::{SymbolicPuzzle, beyond, wrong};
use crate::prove::{Constraint, Form, Piece, Piecewise, Region, Var};
use crate::resolve::program::{Ex, Pattern, Rule};
use crate::source::Span;
use crate::symbolic::{Follow, Machine, Value};

/// Where the content of a cell goes, if it does not stay.
type Target = Option<Vec<Form>>;

impl Machine<'_> {
    /// Evaluates something for a cell of the board that stands for all of them: `body` gets the coordinates. Gives the
    /// cases, over coordinate variables, with what is found there in variables of the scope, which are named.
    pub(super) fn for_each_cell<T>(
        &mut self,
        of: &SymbolicPuzzle,
        span: Span,
        body: &mut dyn FnMut(&mut Self, &[Var]) -> Follow<T>,
    ) -> Follow<Vec<CellCase<T>>> {
        let mut cases = Vec::new();
        for region in &of.cells.regions {
            let mut vars: Vec<Var> = Vec::with_capacity(of.width);
            for at in 0..of.width {
                vars.push(self.fresh(&format!("x{}", at + 1), span)?);
            }
            let scope = self.fits(region.substitute(&as_variables(&vars)), span)?;
            for (leaf, value) in self.each_leaf(&vars, scope, &mut |machine| body(machine, &vars))? {
                let region = self.fits(leaf.substitute(&as_coordinates(&vars)), span)?;
                cases.push(CellCase { region, vars: vars.clone(), value });
            }
        }
        Ok(cases)
    }

    /// The map of cells that a body gives: where the content of a cell goes, or nothing where it stays. A body that leads
    /// off the board has gone wrong before.
    pub(super) fn map_by(
        &mut self,
        of: &SymbolicPuzzle,
        span: Span,
        body: &mut dyn FnMut(&mut Self, &[Var]) -> Follow<Target>,
    ) -> Follow<Piecewise> {
        let mut pieces = Vec::new();
        for case in self.for_each_cell(of, span, body)? {
            let Some(point) = case.value else { continue };
            let mut to = Vec::with_capacity(point.len());
            for form in &point {
                to.push(self.fits(form.substitute(&as_coordinates(&case.vars)), span)?);
            }
            if to.iter().enumerate().any(|(at, form)| *form != Form::var(at as Var)) {
                pieces.push(Piece { region: case.region, to });
            }
        }
        let mut map = Piecewise { width: of.width, pieces };
        map.merge(&self.known);
        Ok(map)
    }

    /// The map of a move with rules, checked to be a bijection of the cells.
    pub(super) fn map_by_rules(
        &mut self,
        rules: &[Rule],
        of: &Arc<SymbolicPuzzle>,
        name: &str,
        span: Span,
    ) -> Follow<Piecewise> {
        let map = self.map_by(of, span, &mut |machine, vars| {
            for rule in rules {
                if !machine.match_cell(&rule.pattern, of, vars, span)? {
                    continue;
                }
                if let Some(condition) = &rule.condition
                    && !machine.truth(condition)?
                {
                    continue;
                }
                return machine.target(&rule.target, of, name, rule.span).map(Some);
            }
            Ok(None)
        })?;
        self.check_bijection(&map, of, name, span)?;
        Ok(map)
    }

    pub(super) fn check_bijection(
        &mut self,
        map: &Piecewise,
        of: &SymbolicPuzzle,
        name: &str,
        span: Span,
    ) -> Follow<()> {
        let is_bijection = map.is_bijection_of(&self.known, &of.cells);
        match self.done(is_bijection, span)? {
            true => Ok(()),
            false => wrong(span, format!("{name} is no bijection of the cells of {}", of.name)),
        }
    }

    fn target(&mut self, target: &Ex, of: &SymbolicPuzzle, name: &str, rule: Span) -> Follow<Vec<Form>> {
        let value = self.eval(target)?;
        self.image_cell(&value, of, name, rule)
    }

    /// A value as the cell to which a rule sends another.
    pub(super) fn image_cell(
        &mut self,
        value: &Value,
        of: &SymbolicPuzzle,
        name: &str,
        span: Span,
    ) -> Follow<Vec<Form>> {
        if let Meant::Point(point) = self.coordinates_of(of, value, span)?
            && self.on_board(of, &point, span)?
        {
            return Ok(point);
        }
        wrong(span, format!("{name} sends a cell off the board of {}: to {}", of.name, self.print(value)))
    }

    /// Does the cell fit the pattern of a rule? Binds its names on the way.
    pub(super) fn match_cell(
        &mut self,
        pattern: &Pattern,
        of: &Arc<SymbolicPuzzle>,
        vars: &[Var],
        span: Span,
    ) -> Follow<bool> {
        let coordinates: Vec<Form> = vars.iter().map(|var| Form::var(*var)).collect();
        self.match_point(pattern, of, &coordinates, span)
    }

    /// The same for a cell with these coordinates.
    pub(super) fn match_point(
        &mut self,
        pattern: &Pattern,
        of: &Arc<SymbolicPuzzle>,
        point: &[Form],
        span: Span,
    ) -> Follow<bool> {
        let parts = match pattern {
            Pattern::Tuple(parts, _) if !of.plain => parts,
            _ => {
                let value = super::point::cell_value(Some(of), point);
                return self.match_value(pattern, &value);
            }
        };
        if parts.len() != point.len() {
            return wrong(span, format!("the cells of {} have {} coordinates", of.name, point.len()));
        }
        for (part, coordinate) in parts.iter().zip(point) {
            let wanted = match part {
                Pattern::Bind(slot, _) => {
                    let Some(place) = self.frame.get_mut(*slot as usize) else { return Ok(false) };
                    *place = Value::Number(coordinate.poly());
                    continue;
                }
                Pattern::Int(wanted, _) => Value::int(*wanted),
                Pattern::Equal(slot, _) => self.frame.get(*slot as usize).cloned().unwrap_or(Value::Nothing),
                Pattern::Param(at, _) => of.args.get(*at as usize).cloned().unwrap_or(Value::Nothing),
                Pattern::Tuple(..) => return Ok(false),
            };
            let Value::Number(wanted) = wanted else { return Ok(false) };
            let wanted = self.linear(&wanted, span)?;
            let equal = self.fits(Constraint::equal(&wanted, coordinate), span)?;
            if !self.decide(&equal)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Not for moves of a blank.
    pub(super) fn no_blank<T>(&self, what: &str, span: Span) -> Follow<T> {
        beyond(span, format!("{what} on a puzzle with a blank"), "ask what the word does from home with `perm(w)`")
    }
}

/// Some of the cells of the board, and what was found about them.
pub(super) struct CellCase<T> {
    /// over coordinate variables
    pub region: Region,
    /// the variables that stood for the coordinates
    pub vars: Vec<Var>,
    pub value: T,
}

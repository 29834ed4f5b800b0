//! Piecewise affine permutations of cells: what a fixed word does on a board of every size.

use super::constraint::Constraint;
use super::form::{Form, OTHER, Var};
use super::region::Region;
use super::union::{Union, at, outside};
use super::{Done, Need, TooLarge};

/// Where the cells of a region go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub region: Region,
    /// a form for each coordinate, in the coordinates of the cell and in parameters
    pub to: Vec<Form>,
}

/// A permutation of cells. The pieces are disjoint; cells outside all of them stay where they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piecewise {
    pub width: usize,
    pub pieces: Vec<Piece>,
}

/// A map with more pieces than that is given up.
const MOST_PIECES: usize = 4000;

impl Piece {
    /// The region where its cells come to lie, and the map that leads back from there.
    pub fn back(&self, known: &Region, width: usize) -> Done<Piece> {
        if let Some(back) = back(width, &self.region, &self.to)? {
            return Ok(back);
        }
        // what two inequalities leave to a coordinate is easier to see as an equation
        back(width, &self.region.pinned(known, width)?, &self.to)?
            .ok_or(Need::Stuck("a move whose rules do not tell from where a cell comes"))
    }

    fn is_identity(&self, known: &Region) -> bool {
        self.to.iter().enumerate().all(|(d, form)| {
            let coordinate = Form::var(d as Var);
            *form == coordinate
                || Constraint::equal(form, &coordinate)
                    .is_ok_and(|equal| Region::entail(&[&known.constraints, &self.region.constraints], &equal))
        })
    }
}

/// The image of a region, with the map that leads back, if the forms are injective.
fn back(width: usize, region: &Region, to: &[Form]) -> Result<Option<Piece>, TooLarge> {
    Ok(match image(width, region, to)? {
        Some((region, Some(to))) => Some(Piece { region, to }),
        _ => None,
    })
}

/// Where a region comes to lie, with the map that leads back if there is one.
type Image = (Region, Option<Vec<Form>>);

/// The image of a region, if it can be said exactly; and the map that leads back, if the forms are seen to be injective.
fn image(width: usize, region: &Region, to: &[Form]) -> Result<Option<Image>, TooLarge> {
    let other = |var: Var| (usize::from(var) < width).then(|| Form::var(OTHER + var));
    let mut both = region.substitute(&other)?;
    for (d, form) in to.iter().enumerate() {
        both.push(Constraint::equal(&Form::var(d as Var), &form.substitute(&other)?)?);
    }
    let others: Vec<Var> = (0..width as Var).map(|d| OTHER + d).collect();
    let shadow = both.eliminate(&others);
    let solved: Option<Vec<Form>> = others
        .iter()
        .map(|var| {
            let (_, form) = shadow.solved.iter().find(|(known, _)| known == var)?;
            form.vars().all(|var| !(OTHER..OTHER + width as Var).contains(&var)).then(|| form.clone())
        })
        .collect();
    Ok(shadow.exact.then_some((shadow.region, solved)))
}

impl Piecewise {
    pub fn identity(width: usize) -> Piecewise {
        Piecewise { width, pieces: Vec::new() }
    }

    /// The cycle that takes each point to the next; the points have to be different.
    pub fn cycle(width: usize, points: &[Vec<Form>]) -> Result<Piecewise, TooLarge> {
        let mut pieces = Vec::with_capacity(points.len());
        for (from, to) in points.iter().zip(points.iter().cycle().skip(1)) {
            pieces.push(Piece { region: at(from)?, to: to.clone() });
        }
        Ok(Piecewise { width, pieces })
    }

    /// This map, and then another one. Cost: the product of their numbers of pieces, and the cuts.
    pub fn then(&self, known: &Region, next: &Piecewise) -> Done<Piecewise> {
        let mut pieces: Vec<Piece> = Vec::with_capacity(self.pieces.len() + next.pieces.len());
        for piece in &self.pieces {
            let image = |var: Var| piece.to.get(usize::from(var)).cloned();
            let mut left = vec![piece.region.clone()];
            for second in &next.pieces {
                if left.is_empty() {
                    break;
                }
                let before = second.region.substitute(&image)?;
                let mut outside = Vec::with_capacity(left.len());
                for region in left {
                    let cut = region.cut(known, &before)?;
                    outside.extend(cut.outside);
                    if let Some(region) = cut.inside {
                        let to = second.to.iter().map(|form| form.substitute(&image)).collect::<Result<_, _>>()?;
                        pieces.push(Piece { region, to });
                    }
                }
                left = outside;
            }
            pieces.extend(left.into_iter().map(|region| Piece { region, to: piece.to.clone() }));
        }
        for second in &next.pieces {
            let mut left = vec![second.region.clone()];
            for piece in &self.pieces {
                left = outside(known, left, &piece.region)?;
            }
            pieces.extend(left.into_iter().map(|region| Piece { region, to: second.to.clone() }));
        }
        if pieces.len() > MOST_PIECES {
            return Err(Need::Stuck("a word that falls into thousands of pieces"));
        }
        let mut product = Piecewise { width: self.width, pieces };
        product.merge(known);
        Ok(product)
    }

    pub fn inverse(&self, known: &Region) -> Done<Piecewise> {
        let mut pieces = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            let back = piece.back(known, self.width)?;
            if !back.region.is_empty_in(known) {
                pieces.push(back);
            }
        }
        Ok(Piecewise { width: self.width, pieces })
    }

    /// A power with a fixed exponent, by squaring.
    pub fn power(&self, known: &Region, exponent: i64) -> Done<Piecewise> {
        let mut base = if exponent < 0 { self.inverse(known)? } else { self.clone() };
        let mut left = exponent.unsigned_abs();
        let mut product: Option<Piecewise> = None;
        while left > 0 {
            if left & 1 == 1 {
                product = Some(match &product {
                    None => base.clone(),
                    Some(product) => product.then(known, &base)?,
                });
            }
            left >>= 1;
            if left > 0 {
                base = base.then(known, &base)?;
            }
        }
        Ok(product.unwrap_or_else(|| Piecewise::identity(self.width)))
    }

    /// Where a cell goes.
    pub fn image(&self, known: &Region, point: &[Form]) -> Done<Vec<Form>> {
        let here = |var: Var| point.get(usize::from(var)).cloned();
        let mut need = None;
        for piece in &self.pieces {
            let region = piece.region.substitute(&here)?;
            if region.is_empty_in(known) {
                continue;
            }
            match region.constraints.iter().find(|constraint| !known.entails(constraint)) {
                None => return Ok(piece.to.iter().map(|form| form.substitute(&here)).collect::<Result<_, _>>()?),
                Some(constraint) => need = need.or(Some(constraint.clone())),
            }
        }
        match need {
            Some(constraint) => Err(Need::Split(constraint)),
            None => Ok(point.to_vec()),
        }
    }

    /// Where the cells of a set go, in regions that belong to the pieces: each with the part of the set that goes there.
    pub fn steps_of(&self, known: &Region, set: &Union) -> Done<Vec<(Region, Region)>> {
        let mut steps = Vec::new();
        for region in &set.regions {
            let mut left = vec![region.clone()];
            for piece in &self.pieces {
                let mut outside = Vec::with_capacity(left.len());
                for region in left {
                    let cut = region.cut(known, &piece.region)?;
                    outside.extend(cut.outside);
                    if let Some(inside) = cut.inside {
                        let (image, _) = image(self.width, &inside, &piece.to)?
                            .ok_or(Need::Stuck("the image of a set that is not all integer points of a region"))?;
                        steps.push((inside, image));
                    }
                }
                left = outside;
            }
            steps.extend(left.into_iter().map(|region| (region.clone(), region)));
        }
        steps.retain(|(before, _)| !before.is_empty_in(known));
        Ok(steps)
    }

    /// Where the cells of a set go.
    pub fn image_of(&self, known: &Region, set: &Union) -> Done<Union> {
        let regions = self.steps_of(known, set)?.into_iter().map(|(_, after)| after).collect();
        Ok(Union { width: self.width, regions }.tidy(known))
    }

    /// The cells that do not stay where they are, in disjoint regions.
    pub fn moved(&self, known: &Region) -> Done<Union> {
        Ok(self.moved_parts(known)?.tidy(known))
    }

    fn moved_parts(&self, known: &Region) -> Done<Union> {
        let mut regions = Vec::new();
        for piece in &self.pieces {
            let mut same = piece.region.clone();
            for (d, form) in piece.to.iter().enumerate() {
                let equal = Constraint::equal(form, &Form::var(d as Var))?;
                for differs in equal.negated()? {
                    regions.push(same.with(differs));
                }
                same = same.with(equal);
            }
        }
        regions.retain(|region| !region.is_empty_in(known));
        Ok(Union { width: self.width, regions })
    }

    pub fn is_identity(&self, known: &Region) -> Done<bool> {
        Ok(!self.moved_parts(known)?.is_inhabited(known)?)
    }

    /// Does it do the same as another one to every cell?
    pub fn equals(&self, known: &Region, other: &Piecewise) -> Done<bool> {
        Ok(!self.differs(known, other)?.is_inhabited(known)?)
    }

    /// The cells that the two do not send to the same place.
    pub fn differs(&self, known: &Region, other: &Piecewise) -> Done<Union> {
        let stays: Vec<Form> = (0..self.width as Var).map(Form::var).collect();
        let mut regions: Vec<Region> = Vec::new();
        let mut compare = |region: Region, a: &[Form], b: &[Form]| -> Done<()> {
            let mut same = region;
            for (a, b) in a.iter().zip(b) {
                if a == b {
                    continue;
                }
                let equal = Constraint::equal(a, b)?;
                for differs in equal.negated()? {
                    let there = same.with(differs);
                    if !there.is_empty_in(known) {
                        regions.push(there);
                    }
                }
                same = same.with(equal);
            }
            Ok(())
        };
        for piece in &self.pieces {
            let mut left = vec![piece.region.clone()];
            for second in &other.pieces {
                let mut outside = Vec::with_capacity(left.len());
                for region in left {
                    let cut = region.cut(known, &second.region)?;
                    outside.extend(cut.outside);
                    if let Some(inside) = cut.inside {
                        compare(inside, &piece.to, &second.to)?;
                    }
                }
                left = outside;
            }
            for region in left {
                compare(region, &piece.to, &stays)?;
            }
        }
        for second in &other.pieces {
            let mut left = vec![second.region.clone()];
            for piece in &self.pieces {
                left = outside(known, left, &piece.region)?;
            }
            for region in left {
                compare(region, &stays, &second.to)?;
            }
        }
        Ok(Union { width: self.width, regions })
    }

    /// Is it a permutation of the cells? The regions of its pieces have to be disjoint and parts of the cells.
    ///
    /// The pieces map what they contain into itself, injectively, and that is finite.
    pub fn is_bijection_of(&self, known: &Region, cells: &Union) -> Done<bool> {
        let domain =
            Union { width: self.width, regions: self.pieces.iter().map(|piece| piece.region.clone()).collect() };
        if !domain.is_subset(known, cells)? {
            return Ok(false);
        }
        let mut images: Vec<Region> = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            let image = piece.back(known, self.width)?;
            let image = Union { width: self.width, regions: vec![image.region] };
            if !image.is_subset(known, &domain)? {
                return Ok(false);
            }
            for other in &images {
                let both = Union { width: self.width, regions: vec![image.regions[0].and(other)] };
                if both.is_inhabited(known)? {
                    return Ok(false);
                }
            }
            images.extend(image.regions);
        }
        Ok(true)
    }

    /// Joins neighbouring pieces that move their cells alike, and leaves out those that move nothing.
    pub fn merge(&mut self, known: &Region) {
        self.pieces.retain(|piece| !piece.is_identity(known));
        let mut first = 0;
        while first < self.pieces.len() {
            let mut second = first + 1;
            while second < self.pieces.len() {
                match join(known, &self.pieces[first], &self.pieces[second]) {
                    Some(piece) => {
                        self.pieces[first] = piece;
                        self.pieces.swap_remove(second);
                        // what did not fit before may fit now
                        second = first + 1;
                    }
                    None => second += 1,
                }
            }
            first += 1;
        }
    }
}

/// Two pieces as one, if they move their cells alike and their regions make one region.
fn join(known: &Region, a: &Piece, b: &Piece) -> Option<Piece> {
    let to = if a.to == b.to || is_thin(b) && alike(&b.region, &a.to, &b.to) {
        &a.to
    } else if is_thin(a) && alike(&a.region, &a.to, &b.to) {
        &b.to
    } else {
        return None;
    };
    let region = a.region.joined(known, &b.region)?;
    Some(Piece { region: region.tidy(known), to: to.clone() })
}

/// Where an equation binds coordinates, one map has many forms.
fn is_thin(piece: &Piece) -> bool {
    piece.region.constraints.iter().any(|constraint| matches!(constraint, Constraint::Eq(_)))
}

/// Are the forms equal on a region, by its equations alone?
fn alike(region: &Region, a: &[Form], b: &[Form]) -> bool {
    let bound = |var: Var| -> Option<Form> {
        region.constraints.iter().find_map(|constraint| match constraint {
            Constraint::Eq(form) if form.coefficient(var).abs() == 1 => {
                let coefficient = form.coefficient(var);
                form.sub(&Form::new([(var, coefficient)], 0, 1)).and_then(|rest| rest.scale(-coefficient, 1)).ok()
            }
            _ => None,
        })
    };
    a.iter().zip(b).all(|(a, b)| {
        a == b
            || a.sub(b)
                .and_then(|difference| difference.substitute(&bound))
                .is_ok_and(|difference| difference.as_int() == Some(0))
    })
}

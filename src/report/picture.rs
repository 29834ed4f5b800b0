//! A small picture of a board with two coordinates: the cells that a permutation moves carry the letter of their cycle.

use crate::puzzle::Cells;

/// Boards with more rows or columns than this are not drawn.
const LARGEST: i64 = 40;

#[derive(Clone, Debug)]
pub struct Picture {
    /// one text for each row; each cell is one character, cells apart by a blank
    pub rows: Vec<String>,
}

impl Picture {
    /// `None` for boards without rows and columns, and for large ones.
    pub fn new(cells: &Cells, cycles: &[Vec<u32>]) -> Option<Picture> {
        let [(top, bottom), (left, right)] = cells.board()?;
        if bottom - top >= LARGEST || right - left >= LARGEST {
            return None;
        }
        let mut marks = vec!['·'; cells.len()];
        for (number, cycle) in cycles.iter().enumerate() {
            for cell in cycle {
                marks[*cell as usize] = letter(number);
            }
        }
        let row = |i: i64| -> String {
            let marks: Vec<String> = (left..=right)
                .map(|j| cells.number(&[i, j]).map_or(' ', |cell| marks[cell as usize]).to_string())
                .collect();
            marks.join(" ").trim_end().to_string()
        };
        Some(Picture { rows: (top..=bottom).map(row).collect() })
    }
}

/// `a` for the first cycle, `b` for the second; all beyond the alphabet are `#`.
fn letter(number: usize) -> char {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    LETTERS.get(number).map_or('#', |letter| char::from(*letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moved_cells_carry_the_letter_of_their_cycle() {
        let list: Vec<Vec<i64>> = (1..=2).flat_map(|i| (1..=3).map(move |j| vec![i, j])).collect();
        let cells = Cells::new(false, &list).unwrap();
        let picture = Picture::new(&cells, &[vec![0, 4], vec![2, 5]]).unwrap();
        assert_eq!(picture.rows, ["a · b", "· a b"]);
    }
}

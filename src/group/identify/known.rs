//! Primitive groups that their degree, order and transitivity determine, and simple groups that their order determines.

/// Multiply transitive and other famous groups: degree, order, how transitive at least, name. Each is the only transitive group with these numbers
/// up to isomorphism (Conway, Curtis, Norton, Parker, Wilson, *ATLAS of Finite Groups*; Dixon and Mortimer, *Permutation Groups*, appendix B;
/// for the two-fold transitive groups Cameron 1981).
pub(super) const PRIMITIVE: &[(usize, u64, usize, &str)] = &[
    (7, 168, 2, "PSL(3,2)"),
    (8, 1344, 3, "AGL(3,2)"),
    (9, 1512, 3, "PGammaL(2,8)"),
    (11, 660, 2, "PSL(2,11)"),
    (11, 7920, 4, "M11"),
    (12, 7920, 3, "M11"),
    (12, 95_040, 5, "M12"),
    (13, 5616, 2, "PSL(3,3)"),
    (15, 2520, 2, "A7"),
    (15, 20_160, 2, "PSL(4,2)"),
    (16, 322_560, 3, "AGL(4,2)"),
    (21, 20_160, 2, "PSL(3,4)"),
    (22, 443_520, 3, "M22"),
    (22, 887_040, 3, "M22:2"),
    (23, 10_200_960, 4, "M23"),
    (24, 244_823_040, 5, "M24"),
];

/// The perfect groups of these orders, which are simple; there is one of each (Holt and Plesken, *Perfect Groups*).
pub(super) const PERFECT: &[(u64, &str)] = &[
    (60, "A5"),
    (168, "PSL(2,7)"),
    (360, "A6"),
    (504, "PSL(2,8)"),
    (660, "PSL(2,11)"),
    (1092, "PSL(2,13)"),
    (2448, "PSL(2,17)"),
    (2520, "A7"),
    (3420, "PSL(2,19)"),
    (4080, "PSL(2,16)"),
    (5616, "PSL(3,3)"),
    (6048, "PSU(3,3)"),
    (6072, "PSL(2,23)"),
    (7800, "PSL(2,25)"),
    (7920, "M11"),
    (9828, "PSL(2,27)"),
];

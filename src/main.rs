fn main() {
    let mut session = perm::session::Session::new(Default::default());
    let args: Vec<String> = std::env::args().skip(1).collect();
    let scripts = if args.is_empty() {
        perm::session::Script::standard()
    } else {
        args.iter()
            .map(|a| {
                perm::session::Script::new(perm::module::Origin::File(a.into()), std::fs::read_to_string(a).unwrap())
            })
            .collect()
    };
    let r = session.check(&scripts, &Default::default(), &mut |l, o| {
        println!(
            "{:?}",
            match o {
                perm::run::Output::Line(x) => x,
                perm::run::Output::Report { value, written, .. } =>
                    perm::report::text::value(&perm::report::ValueReport::new(&value, &written, l), Default::default()),
                _ => String::new(),
            }
        )
    });
    print!("{}", perm::report::text::check(&r, &session.sources, Default::default(), false));
    std::process::exit(r.outcome().exit_code() as i32);
}

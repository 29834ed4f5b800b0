# short names for what is done often; `just` lists them

# what CI does
ci:
    .ci/run

# verify the standard library
check:
    cargo run --release -- check

# the benches print; those against GAP need `gap` on the PATH
bench:
    cargo bench --bench words
    cargo bench --bench scripts
    cargo bench --bench search

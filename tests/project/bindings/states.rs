// Two caches through their crate, a step after the other in one buffer each.
use states::{Network, Sizes};

const ROOM: usize = 32;

fn main() {
    let mut network = Network::new(&[]).unwrap();
    let (mut rows, mut columns) = (vec![7f32; ROOM * 3], vec![7i32; 2 * ROOM]);
    let (mut wanted_rows, mut wanted_columns) = (rows.clone(), columns.clone());
    let (mut squares, mut total) = (0f32, 0i32);
    for past in 0..ROOM {
        let row: Vec<f32> = (0..3).map(|i| ((past * 5 + i) % 7) as f32 - 2.0).collect();
        let column: Vec<i32> = (0..2).map(|i| ((past * 3 + i) % 5 + 1) as i32).collect();
        squares += row.iter().map(|one| one * one).sum::<f32>();
        total += column.iter().map(|one| one * one).sum::<i32>();
        wanted_rows[3 * past..3 * past + 3].copy_from_slice(&row);
        for i in 0..2 {
            wanted_columns[i * ROOM + past] = column[i];
        }
        let (mut s, mut t) = ([0f32], [0i32]);
        network.run(&Sizes { past: past as i64 }, &row, &mut rows, &mut columns, &column, &mut s, &mut t).unwrap();
        assert!(rows == wanted_rows && columns == wanted_columns, "step {} left another state", past);
        assert_eq!((s[0], t[0]), (squares, total), "step {}", past);
    }
    let error = network.run(&Sizes { past: 0 }, &[1.0; 3], &mut rows[1..], &mut columns, &[1; 2], &mut [0.0], &mut [0]).unwrap_err();
    println!("refused: {}", error);
}

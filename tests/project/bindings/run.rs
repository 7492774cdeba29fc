// Runs digits through its crate: run WEIGHTS INPUT OUTPUT
use digits::{Network, Sizes};

fn floats(path: &str) -> Vec<f32> {
    std::fs::read(path).unwrap().chunks(4).map(|one| f32::from_le_bytes(one.try_into().unwrap())).collect()
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let weights = std::fs::read(&arguments[1]).unwrap();
    let image = floats(&arguments[2]);
    let mut network = Network::new(&weights).unwrap();
    let batch = image.len() as i64 / 64;
    let mut probabilities = vec![0f32; (batch * 10) as usize];
    network.run(&Sizes { batch }, &image, &mut probabilities).unwrap();
    let bytes: Vec<u8> = probabilities.iter().flat_map(|one| one.to_le_bytes()).collect();
    std::fs::write(&arguments[3], bytes).unwrap();
    let error = network.run(&Sizes { batch: batch + 1 }, &image, &mut probabilities).unwrap_err();
    println!("refused: {}", error);
    let error = network.run(&Sizes { batch: 0 }, &[], &mut []).unwrap_err();
    println!("refused: {} {}", error.status, error);
    println!("refused: {}", Network::new(&weights[..64]).err().unwrap());
}

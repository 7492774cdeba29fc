// Runs digits through its class: Run WEIGHTS INPUT OUTPUT
import burin.digits.Network;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

public class Run {
    static ByteBuffer bytes(String path) throws Exception {
        byte[] all = Files.readAllBytes(Path.of(path));
        ByteBuffer out = Network.allocate(all.length);
        out.put(all).rewind();
        return out;
    }

    public static void main(String[] arguments) throws Exception {
        ByteBuffer image = bytes(arguments[1]);
        long batch = image.capacity() / 256;
        ByteBuffer probabilities = Network.allocate((int) batch * 40);
        try (Network network = new Network(bytes(arguments[0]))) {
            network.run(batch, image, probabilities);
            byte[] all = new byte[probabilities.capacity()];
            probabilities.get(all);
            Files.write(Path.of(arguments[2]), all);
            refused(() -> network.run(batch + 1, image, probabilities));
            refused(() -> network.run(0, Network.allocate(0), Network.allocate(0)));
        }
        refused(() -> new Network(Network.allocate(64)));
    }

    static void refused(Runnable run) {
        try {
            run.run();
        } catch (IllegalStateException error) {
            System.out.println("refused: " + error.getMessage());
            return;
        }
        throw new AssertionError("taken");
    }
}

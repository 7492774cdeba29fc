// Two caches through their class, a step after the other in one buffer each.
import burin.states.Network;
import java.nio.ByteBuffer;

public class States {
    static final int ROOM = 32;

    public static void main(String[] arguments) {
        ByteBuffer rows = filled(ROOM * 3, true), columns = filled(2 * ROOM, false);
        ByteBuffer wantedRows = filled(ROOM * 3, true), wantedColumns = filled(2 * ROOM, false);
        ByteBuffer row = Network.allocate(12), column = Network.allocate(8), s = Network.allocate(4), t = Network.allocate(4);
        float squares = 0;
        int total = 0;
        try (Network network = new Network(null)) {
            for (int past = 0; past < ROOM; ++past) {
                for (int i = 0; i < 3; ++i) {
                    float one = (past * 5 + i) % 7 - 2;
                    squares += one * one;
                    row.putFloat(4 * i, one);
                    wantedRows.putFloat(4 * (3 * past + i), one);
                }
                for (int i = 0; i < 2; ++i) {
                    int one = (past * 3 + i) % 5 + 1;
                    total += one * one;
                    column.putInt(4 * i, one);
                    wantedColumns.putInt(4 * (i * ROOM + past), one);
                }
                network.run(past, row, rows, columns, column, s, t);
                if (!rows.equals(wantedRows) || !columns.equals(wantedColumns)) throw new AssertionError("step " + past + " left another state");
                if (s.getFloat(0) != squares || t.getInt(0) != total) throw new AssertionError("step " + past + ": " + s.getFloat(0) + " " + t.getInt(0));
            }
            refused(() -> network.run(0, row, rows.asReadOnlyBuffer(), columns, column, s, t));
            refused(() -> network.run(0, row, rows, columns, column, s.asReadOnlyBuffer(), t));
            refused(() -> network.run(0, row, row, columns, column, s, t));
            refused(() -> network.run(0, row, rows, part(rows, 128, 256), column, s, t));
            refused(() -> network.run(0, part(rows, 12, 12), rows, columns, column, s, t));
            refused(() -> network.run(0, row, rows, columns, column, t, t));
            // Inputs may share memory with inputs.
            network.run(0, row, rows, columns, part(row, 4, 8), s, t);
        }
    }

    static ByteBuffer part(ByteBuffer whole, int begin, int bytes) {
        return whole.duplicate().position(begin).limit(begin + bytes).slice();
    }

    static ByteBuffer filled(int elements, boolean floats) {
        ByteBuffer out = Network.allocate(4 * elements);
        for (int i = 0; i < elements; ++i) {
            if (floats) out.putFloat(4 * i, 7);
            else out.putInt(4 * i, 7);
        }
        return out;
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

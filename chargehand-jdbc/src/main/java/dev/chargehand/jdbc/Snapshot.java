package dev.chargehand.jdbc;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.jdbc.internal.call.Call;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import org.jdbi.v3.core.Handle;

/** Answers each read from one state of the store, however many queries it makes. */
record Snapshot(Path file) implements BiConsumer<Handle, List<Call<?>>> {

    @Override
    public void accept(Handle handle, List<Call<?>> calls) {
        calls.stream().filter(Call::begin).forEach(call -> read(handle, call));
    }

    private void read(Handle handle, Call<?> call) {
        try {
            handle.execute("BEGIN");
            try {
                call.attempt(handle);
            } catch (ChargehandException refusal) {
                call.refuse(refusal);
            }
            handle.execute("COMMIT");
        } catch (Throwable e) {
            GroupCommit.rollBack(handle);
            call.fail(SqliteFailures.of(file, e));
            return;
        }
        call.settle();
    }
}

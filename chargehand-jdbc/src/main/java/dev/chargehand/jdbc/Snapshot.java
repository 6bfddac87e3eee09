package dev.chargehand.jdbc;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.jdbc.internal.call.Call;
import dev.chargehand.jdbc.internal.session.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;

/** Answers each read from one state of the store, however many queries it makes. */
record Snapshot(Path file) implements BiConsumer<Session, List<Call<?>>> {

    @Override
    public void accept(Session session, List<Call<?>> calls) {
        calls.stream().filter(Call::begin).forEach(call -> read(session, call));
    }

    private void read(Session session, Call<?> call) {
        try {
            session.sql("BEGIN").update();
            try {
                call.attempt(session);
            } catch (ChargehandException refusal) {
                call.refuse(refusal);
            }
            session.sql("COMMIT").update();
        } catch (Throwable e) {
            GroupCommit.rollBack(session);
            call.fail(SqliteFailures.of(file, e));
            return;
        }
        call.settle();
    }
}

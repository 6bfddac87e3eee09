package dev.chargehand.tests.upgrade;

import dev.chargehand.RunFailedException;
import dev.chargehand.message.Message;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.TestRuntime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Writes a store of a schema for {@link StoreUpgradeTest}, with the code of the last version that had the schema: {@code
 * StoreWriter src/test/resources/stores/schema-7.db.gz} for SQLite, {@code schema-7.pg.gz} for PostgreSQL; and one for {@link
 * WorkshopUpgradeTest}: {@code workshop-22.db.gz} and {@code workshop-22.pg.gz}. Never run by the build.
 */
final class StoreWriter {

    private static final int KILLED = 12;
    private static final int MANY = 100;

    private final AtomicLong count = new AtomicLong();

    private StoreWriter() {}

    public static void main(String[] args) throws Exception {
        Path target = Path.of(args[0]);
        boolean workshop = target.getFileName().toString().startsWith("workshop-");
        PackedStore.pack(target, workshop ? WorkshopWriter::write : opening -> new StoreWriter().write(opening));
    }

    private void write(Supplier<Store> opening) {
        with(opening, store -> store, this::talk);
        with(opening, store -> store, this::wait);
        try (Store store = opening.get()) {
            Memories.write(store);
        }
        for (int append = 2; append <= KILLED; append++) {
            int first = append;
            with(opening, store -> dying(store, first), test -> killed(test, first));
        }
    }

    /** A thread of a thousand messages, and two large texts that are the same. */
    private void talk(TestRuntime test) {
        List<Message> input = new ArrayList<>();
        IntStream.rangeClosed(1, 999).forEach(i -> input.add(Message.user("message " + i)));
        test.agent("talker").generate(input, o -> o.thread("long").resource("ann"));
        for (int i = 1; i <= 2; i++) {
            String thread = "large-" + i;
            test.agent("talker")
                    .generate("large ".repeat(5_000), o -> o.thread(thread).resource("ann"));
        }
    }

    /** Runs that wait two levels below their root. */
    private void wait(TestRuntime test) {
        for (int i = 1; i <= 3; i++) {
            String thread = "waiting-" + i;
            test.agent("boss").generate("pay bill " + i, o -> o.thread(thread).resource("ann"));
        }
    }

    private static void killed(TestRuntime test, int append) {
        try {
            test.agent("boss").generate("look at " + append, o -> o.thread("killed-" + append)
                    .resource("ann"));
        } catch (RunFailedException e) {
            // its store is gone
        }
    }

    private static Store dying(Store store, int append) {
        FaultyStore dying = FaultyStore.over(store);
        IntStream.range(append, append + MANY).forEach(nth -> dying.failOn(FaultyStore.Operation.APPEND, nth));
        return dying;
    }

    private void with(Supplier<Store> opening, Function<Store, Store> faults, Consumer<TestRuntime> work) {
        IdSource ids = prefix -> prefix + "old" + count.incrementAndGet();
        try (TestRuntime test = TestRuntime.builder(Office.script())
                .store(faults.apply(opening.get()))
                .ids(ids)
                .unrecorded()
                .agents(Office.agents())
                .build()) {
            work.accept(test);
        }
    }
}

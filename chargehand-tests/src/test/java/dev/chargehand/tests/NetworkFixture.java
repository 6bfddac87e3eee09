package dev.chargehand.tests;

import dev.chargehand.RunOptions;
import dev.chargehand.testkit.Script;
import dev.chargehand.tests.Both.Ran;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Runs the supervisor of researcher and writer as the router of a network. */
abstract class NetworkFixture {

    static Both network(Supplier<Script> script) {
        return Both.ways(script).agent(Crew.supervisor(Crew.LOOK)).network();
    }

    static Ran run(Turns... turns) {
        return network(() -> Scripts.of(turns)).run();
    }

    static Ran run(Consumer<RunOptions.Builder> options, Turns... turns) {
        return network(() -> Scripts.of(turns)).options(options).run();
    }
}

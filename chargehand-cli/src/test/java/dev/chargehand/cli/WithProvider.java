package dev.chargehand.cli;

import dev.chargehand.testkit.provider.LoopbackProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests of files with one agent, whose model is one of a provider that the test plays. */
abstract class WithProvider {

    final LoopbackProvider provider = LoopbackProvider.start();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        provider.close();
    }

    /** Runs an agent that has some keys beside its id. */
    Ran run(String input, String keys) throws IOException {
        Files.writeString(
                folder.resolve("chargehand.yaml"),
                "model: test/small\nproviders: { test: { baseUrl: \"" + provider.baseUrl()
                        + "\" } }\nagents:\n  clerk:\n" + keys.indent(4));
        return Ran.in(folder, "run", input);
    }

    /** Returns the body of a request, from 0. */
    String asked(int request) {
        return provider.log().get(request).request().body();
    }
}

package dev.chargehand.openapi;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Has an API, its server and its documents for the time of a test. */
abstract class WithApi {

    @TempDir
    Path folder;

    Api api;

    @BeforeEach
    void start() {
        api = new Api(folder);
    }

    @AfterEach
    void stop() {
        api.close();
    }
}

package dev.chargehand.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The site that the build has made, and the programs by which it was made. */
final class Programs {

    static final Path MODULE = Path.of("").toAbsolutePath();
    static final Path OUTPUT = MODULE.resolve("target/site");

    private Programs() {}

    /** Returns whether Node exists; the build has reported it if not, and has failed where CI is set. */
    static boolean nodeExists() {
        return Node.version() >= Node.LEAST;
    }

    static Site site() throws IOException {
        return Site.of(MODULE, MODULE.resolve("target/node"));
    }

    /** Returns Node with a script of the tests. */
    static Node with(String script) throws IOException {
        Path programs = MODULE.resolve("target/node");
        Files.writeString(
                programs.resolve(script),
                Files.readString(MODULE.resolve("src/test/node").resolve(script)));
        return Node.in(programs);
    }
}

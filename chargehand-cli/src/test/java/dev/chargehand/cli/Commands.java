package dev.chargehand.cli;

import java.nio.file.Path;

/** Runs commands for tests of other packages. */
public final class Commands {

    private Commands() {}

    /** What a command printed, and the code it exited with. */
    public record Done(int exitCode, String out, String err) {}

    /** Runs a command in a folder, with nothing in the environment. */
    public static Done in(Path folder, String... arguments) {
        Ran ran = Ran.in(folder, arguments);
        return new Done(ran.exitCode(), ran.out(), ran.err());
    }
}

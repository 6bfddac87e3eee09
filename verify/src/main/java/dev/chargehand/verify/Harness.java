package dev.chargehand.verify;

import java.util.concurrent.Callable;
import picocli.CommandLine;

/**
 * One way to try to break the libraries, as a command: the fields of an implementation are its options.
 *
 * <p>A harness prints what it finds as it finds it, with what is needed to see the same again, and at last one line with
 * its name and its counts.
 */
public interface Harness extends Callable<Integer> {

    /** Returns the name of the command. */
    String name();

    /** Tries, and counts what was wrong. */
    Tally run() throws Exception;

    /** Tries, prints the last line, and returns the exit code. */
    @Override
    default Integer call() throws Exception {
        Tally tally = run();
        System.out.println(tally.line(name()));
        return tally.isClean() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
}

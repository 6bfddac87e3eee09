package dev.chargehand.verify.harness;

import java.util.concurrent.Callable;
import picocli.CommandLine;

/**
 * One way to try to break the libraries, as a command: the fields of an implementation are its options.
 *
 * <p>A harness prints what it finds as it finds it, with what is needed to see the same again, and at last one line with
 * its name and its counts.
 */
public interface Harness extends Callable<Integer> {

    /** Return the name of the command. */
    default String name() {
        return getClass().getAnnotation(CommandLine.Command.class).name();
    }

    /** Return what it has counted so far. */
    Tally tally();

    /** Try, and counts what was wrong. */
    Tally run() throws Exception;

    /** Try, prints the last line, and return the exit code. One that is stopped prints how far it came. */
    @Override
    default Integer call() throws Exception {
        Thread stopped = new Thread(() -> {
            tally().stop();
            System.out.println(tally().line(name()) + " stopped");
        });
        Runtime.getRuntime().addShutdownHook(stopped);
        Tally tally = run();
        Runtime.getRuntime().removeShutdownHook(stopped);
        System.out.println(tally.line(name()));
        return tally.isClean() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
}

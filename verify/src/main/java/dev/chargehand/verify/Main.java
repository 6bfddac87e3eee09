package dev.chargehand.verify;

/** Runs a harness by its name; the last line it prints is {@code NAME: n=… …}. */
public final class Main {

    private Main() {}

    /** Run the harness that the first argument names, and ends the process: 0 if nothing was wrong, 1 if something was. */
    public static void main(String[] arguments) {
        System.exit(Harnesses.commandLine().execute(arguments));
    }
}

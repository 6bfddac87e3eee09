package dev.chargehand.cli.setup;

import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.shell.Terminal;
import dev.chargehand.error.ConfigurationException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How something is deleted: the options of every command that deletes what cannot be brought back. */
public final class ConfirmedDeletion {

    @Mixin
    private Confirmation confirmation = new Confirmation();

    @Option(
            names = "--cancel-runs",
            description = "Cancel the runs that have not ended first. Without it, nothing is deleted if there are any.")
    private boolean cancelRuns;

    /** Return whether open runs are cancelled. */
    public boolean cancelsRuns() {
        return cancelRuns;
    }

    /**
     * Ask on the terminal, unless the options confirm it.
     *
     * @param what says what is deleted
     * @throws ConfigurationException if there is no terminal
     */
    public boolean isConfirmed(Shell shell, String what) {
        return confirmation.isConfirmed(shell, what);
    }

    /** That something is deleted which cannot be brought back. */
    public static final class Confirmation {

        @Option(
                names = {"-y", "--yes"},
                description = "Delete without confirmation; required if standard input is not a terminal.")
        private boolean yes;

        /**
         * Ask on the terminal, unless the options confirm it.
         *
         * @param what says what is deleted
         * @throws ConfigurationException if there is no terminal
         */
        public boolean isConfirmed(Shell shell, String what) {
            if (yes) {
                return true;
            }
            Terminal terminal = shell.terminal();
            if (terminal == null) {
                throw new ConfigurationException(
                        "There is no terminal to confirm the deletion of " + what + ". Say --yes if so.");
            }
            String answer = terminal.ask("Delete " + what + "? It cannot be brought back. y: yes, n: no > ")
                    .orElse("");
            return answer.strip().equals("y");
        }
    }
}

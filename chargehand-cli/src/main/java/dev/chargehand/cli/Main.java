package dev.chargehand.cli;

/** Starts the {@code chargehand} command. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        if (args.length == 1 && args[0].equals("--version")) {
            String version = Main.class.getPackage().getImplementationVersion();
            System.out.println("chargehand " + (version == null ? "(not packaged)" : version));
            return;
        }
        System.err.println("chargehand: there are no commands yet; only --version is understood.");
        System.exit(64);
    }
}

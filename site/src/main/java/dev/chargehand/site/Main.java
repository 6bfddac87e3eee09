package dev.chargehand.site;

import java.io.IOException;
import java.nio.file.Path;

/** Makes the site; the build calls it. Without Node there is no site, which a line reports; where CI is set, the build fails. */
public final class Main {

    private Main() {}

    /**
     * Check the documents and make the site, or print the mistakes and end the process with 1.
     *
     * @param arguments the repository, the folder of the API reference, the folder to make, the version, the path on the host
     * @throws IOException if a file cannot be read or written
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 5) {
            System.err.println("Wanted: REPOSITORY REFERENCE OUTPUT VERSION BASE");
            System.exit(2);
        }
        int found = Node.version();
        if (found < Node.LEAST) {
            System.out.println("The documents are not checked and the site is not made: Node " + Node.LEAST
                    + " or newer is needed, and " + (found == 0 ? "none was found" : "version " + found + " was found")
                    + " on the PATH.");
            System.exit(System.getenv("CI") == null ? 0 : 1);
        }
        Settings settings = new Settings(
                Path.of(arguments[0]), Path.of(arguments[1]), Path.of(arguments[2]), arguments[3], arguments[4]);
        Path module = settings.repository().resolve("site");
        Site site = Site.of(module, module.resolve("target/node"));
        exitIfFailed(
                site.check(settings.repository()),
                "mistakes in the documents; CONTRIBUTING.md, 'Documents', lists the rules.");
        exitIfFailed(site.make(settings), "the site was not made.");
        System.out.println("The site is in " + settings.output() + "; to read it: jwebserver -d " + settings.output());
    }

    private static void exitIfFailed(Node.Result result, String message) {
        if (result.code() != 0) {
            result.lines().forEach(System.err::println);
            System.err.println("chargehand-site: " + message);
            System.exit(1);
        }
    }
}

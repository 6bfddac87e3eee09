package dev.chargehand.site;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Makes the site; the build calls it. */
public final class Main {

    private Main() {}

    /**
     * Make the site, or report the mistakes of the documents and end the process with 1.
     *
     * @param arguments the repository, the folder of the API reference, the folder to make, the version
     * @throws IOException if a file cannot be read or written
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 4) {
            System.err.println("Wanted: REPOSITORY REFERENCE OUTPUT VERSION");
            System.exit(2);
        }
        Settings settings = new Settings(
                Path.of(arguments[0]), "site/contents.md", Path.of(arguments[1]), Path.of(arguments[2]), arguments[3]);
        List<Problem> problems = Site.make(settings);
        if (!problems.isEmpty()) {
            problems.forEach(System.err::println);
            System.err.println(problems.size() + " in the documents; CONTRIBUTING.md, 'Documents', lists the rules.");
            System.exit(1);
        }
        System.out.println("The site is at " + settings.output().resolve("index.html"));
    }
}

package dev.chargehand.site;

import java.nio.file.Path;

/**
 * What to make a site of.
 *
 * @param repository the folder with the documents
 * @param contents the Markdown file that lists the pages in order, from there
 * @param reference the folder of the API reference
 * @param output the folder to make; what is in it goes
 * @param version what the pages say they are about
 */
public record Settings(Path repository, String contents, Path reference, Path output, String version) {

    public Settings {
        repository = repository.toAbsolutePath().normalize();
        reference = reference.toAbsolutePath().normalize();
        output = output.toAbsolutePath().normalize();
        if (repository.startsWith(output)) {
            throw new IllegalArgumentException("The output " + output + " would take the place of the documents.");
        }
    }
}

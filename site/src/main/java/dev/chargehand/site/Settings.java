package dev.chargehand.site;

import java.nio.file.Path;

/**
 * The folders of a site.
 *
 * @param repository the folder with the documents
 * @param reference the folder of the API reference
 * @param output the folder to make; its contents are deleted first
 * @param version the version that the pages show
 * @param base the path of the site on its host, such as {@code /} or {@code /chargehand/}
 */
record Settings(Path repository, Path reference, Path output, String version, String base) {

    Settings {
        repository = repository.toAbsolutePath().normalize();
        reference = reference.toAbsolutePath().normalize();
        output = output.toAbsolutePath().normalize();
        if (repository.startsWith(output)) {
            throw new IllegalArgumentException("The output " + output + " would replace the documents.");
        }
    }
}

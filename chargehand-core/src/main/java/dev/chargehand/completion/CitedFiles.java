package dev.chargehand.completion;

import dev.chargehand.error.ConfigurationException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks that cited lines are in the files of a folder. */
record CitedFiles(Path folder) {

    static CitedFiles of(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new ConfigurationException("Scorer 'citedFilesExist': there is no folder '" + folder
                    + "'; name the folder that citations such as docs/concepts.md:12 are about.");
        }
        return new CitedFiles(folder.toAbsolutePath().normalize());
    }

    Score score(String output) throws IOException {
        List<Citation.Place> places = Citations.in(output).stream()
                .filter(Citation.Place.class::isInstance)
                .map(Citation.Place.class::cast)
                .toList();
        List<String> wrong = new ArrayList<>();
        for (Citation.Place place : places) {
            String what = whatIsWrong(place);
            if (what != null) {
                wrong.add(place.source() + " (" + what + ")");
            }
        }
        return Texts.share(
                places.size() - wrong.size(),
                places.size(),
                () -> "These places do not exist: " + String.join(", ", wrong)
                        + ". Cite only lines of files that you have really found.");
    }

    private @Nullable String whatIsWrong(Citation.Place place) throws IOException {
        Optional<Path> file = find(place.file()).or(() -> find(place.lastWord()));
        if (file.isEmpty()) {
            return "no such file";
        }
        if (place.from() < 1) {
            return "lines count from 1";
        }
        if (!place.unit().isEmpty()) {
            return null; // how many pages a document has is not looked up
        }
        int lines = linesUpTo(place.to(), file.get());
        return lines < place.to() ? "the file has only " + lines + (lines == 1 ? " line" : " lines") : null;
    }

    /**
     * Return the file of a path in the folder, also if the path starts with the last names of the folder's own path.
     */
    private Optional<Path> find(String path) {
        try {
            Path cited = Path.of(path).normalize();
            for (int names = 0; names < cited.getNameCount() && !cited.isAbsolute(); names++) {
                Path below = cited.subpath(names, cited.getNameCount());
                if ((names == 0 || folder.endsWith(cited.subpath(0, names))) && isFile(folder.resolve(below))) {
                    return Optional.of(folder.resolve(below));
                }
            }
        } catch (InvalidPathException e) {
            return Optional.empty(); // no file can have such a name
        }
        return Optional.empty();
    }

    /** Look at nothing outside the folder: neither by dots, which would lead out of it, nor through links. */
    private boolean isFile(Path file) {
        if (!file.normalize().startsWith(folder)) {
            return false;
        }
        try {
            return file.toRealPath().startsWith(folder.toRealPath()) && Files.isRegularFile(file);
        } catch (IOException e) {
            return false;
        }
    }

    private static int linesUpTo(int enough, Path file) throws IOException {
        int lines = 0;
        int last = '\n';
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            for (int c = in.read(); c >= 0 && lines < enough; c = in.read()) {
                lines += c == '\n' ? 1 : 0;
                last = c;
            }
        }
        return last == '\n' ? lines : lines + 1;
    }
}

package dev.chargehand.search.internal.folder;

import dev.chargehand.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Names files the way the user knows them: the prefix, then the path in the folder, with slashes.
 *
 * @param root the folder
 * @param prefix what stands for the folder; empty for nothing
 */
public record ShownPaths(Path root, String prefix) {

    public ShownPaths {
        String trimmed = prefix;
        while (trimmed.endsWith("/")) {
            trimmed = trimmed.substring(0, trimmed.length() - 1);
        }
        prefix = trimmed;
    }

    /**
     * Return the real path of a folder to search.
     *
     * @throws ConfigurationException if it does not exist or is not a folder
     */
    public static Path realPath(Path folder) {
        Path real;
        try {
            real = folder.toRealPath();
        } catch (IOException e) {
            throw new ConfigurationException(
                    "There is no folder '" + folder + "' to search: create it, or give another one.", e);
        }
        if (!Files.isDirectory(real)) {
            throw new ConfigurationException(
                    "'" + folder + "' cannot be searched, because it is not a folder: give the one it is in.");
        }
        return real;
    }

    /** The path from the working directory if the folder is in it, else the folder's name. */
    public static String defaultPrefix(Path folder, Path workingDirectory) {
        Path absolute = workingDirectory.resolve(folder).normalize();
        return absolute.startsWith(workingDirectory)
                ? slashed(workingDirectory.relativize(absolute))
                : slashed(absolute.getFileName());
    }

    public String shown(Path file) {
        String inside = slashed(root.relativize(file));
        return prefix.isEmpty() ? inside : inside.isEmpty() ? prefix : prefix + "/" + inside;
    }

    /** The folders and the name below the root, without the ending: the words by which a file may be looked for. */
    String words(Path file) {
        return slashed(root.relativize(file)).replaceFirst("\\.[^./]*$", "");
    }

    /** Control characters, which a file name may have, would break the line a source is printed on. */
    private static String slashed(@Nullable Path path) {
        StringJoiner names = new StringJoiner("/");
        if (path != null) {
            path.forEach(name -> names.add(name.toString()));
        }
        return names.toString().replaceAll("\\p{Cntrl}", "\uFFFD");
    }
}

package dev.chargehand.search.internal.folder;

import dev.chargehand.error.ConfigurationException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
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

    private static final char UNREADABLE = '\uFFFD';

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
        String inside = visible(inside(file));
        return prefix.isEmpty() ? inside : inside.isEmpty() ? prefix : prefix + "/" + inside;
    }

    /** The folders and the name below the root, without the ending: the words by which a file may be looked for. */
    String words(Path file) {
        return visible(inside(file)).replaceFirst("\\.[^./]*$", "");
    }

    /**
     * Return the path in the folder by which the index knows a file, with slashes. A name that cannot be read in the
     * character set of the system is written with the escapes of a URI, behind a slash.
     */
    String key(Path file) {
        String plain = plain(file);
        return isReadable(plain, file) ? plain : "/" + escaped(file);
    }

    /** Return the file that the index knows by a key. */
    public Path file(String key) {
        return key.startsWith("/") ? Path.of(URI.create(address(root) + key)) : root.resolve(key);
    }

    private String inside(Path file) {
        String plain = plain(file);
        return isReadable(plain, file) ? plain : escaped(file);
    }

    private String plain(Path file) {
        return root.relativize(file).toString().replace(file.getFileSystem().getSeparator(), "/");
    }

    /** The address has the bytes of the name. */
    private String escaped(Path file) {
        return address(file).substring(address(root).length() + 1);
    }

    private static String address(Path path) {
        String address = path.toUri().toString();
        return address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
    }

    private boolean isReadable(String inside, Path file) {
        try {
            return inside.indexOf(UNREADABLE) < 0 || root.resolve(inside).equals(file);
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static String slashed(@Nullable Path path) {
        StringJoiner names = new StringJoiner("/");
        if (path != null) {
            path.forEach(name -> names.add(name.toString()));
        }
        return visible(names.toString());
    }

    /** Control characters, which a file name may have, would break the line a source is printed on. */
    private static String visible(String path) {
        return path.replaceAll("\\p{Cntrl}", String.valueOf(UNREADABLE));
    }
}

package dev.chargehand.search.internal.folder;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.search.internal.text.FileStamp;
import dev.chargehand.search.report.SearchReport.Reason;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists the files of a folder that are to be indexed, in the order of their paths. Links are never followed. */
public final class FolderFiles extends SimpleFileVisitor<Path> {

    private static final Set<String> EXCLUDED_FOLDERS = Set.of("node_modules", "target");

    /** The agents' file and its schema, and lists that package managers write: they contain no answers. */
    private static final Set<String> EXCLUDED_FILES =
            Set.of("chargehand.yaml", "chargehand.schema.json", "package-lock.json", "pnpm-lock.yaml");

    private final ShownPaths paths;
    private final Path root;
    private final Set<String> kinds;
    private final List<Found> found = new ArrayList<>();
    private final SkippedFiles skipped;

    /**
     * A file to index.
     *
     * @param key the path in the folder, with slashes, by which the index knows it
     */
    public record Found(Path file, String key, FileStamp stamp) {}

    private FolderFiles(ShownPaths paths, Set<String> kinds, SkippedFiles skipped) {
        this.paths = paths;
        this.root = paths.root();
        this.kinds = kinds;
        this.skipped = skipped;
    }

    /**
     * Walk a folder; stops early when the thread is interrupted.
     *
     * @param paths the folder, as a real path
     * @param kinds the ends of names, in lower case, with their dot
     */
    static List<Found> list(ShownPaths paths, Set<String> kinds, SkippedFiles skipped) {
        FolderFiles walk = new FolderFiles(paths, kinds, skipped);
        try {
            Files.walkFileTree(walk.root, walk);
        } catch (IOException e) {
            throw new ConfigurationException(
                    "The folder to search, '" + paths.prefix()
                            + "', cannot be read: give one that exists and can be listed.",
                    e);
        }
        walk.found.sort(Comparator.comparing(found -> found.file().toString()));
        return walk.found;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
        if (Thread.currentThread().isInterrupted()) {
            return FileVisitResult.TERMINATE;
        }
        return folder.equals(root) || isOpen(folder) ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        if (isHidden(file)) {
            return FileVisitResult.CONTINUE;
        }
        if (attributes.isSymbolicLink()) {
            visitLink(file);
        } else if (isWanted(file)) {
            if (attributes.isRegularFile()) {
                add(file, attributes);
            } else {
                skipped.add(file, Reason.NOT_A_FILE, "is a device, a pipe or a socket");
            }
        }
        return FileVisitResult.CONTINUE;
    }

    private void add(Path file, BasicFileAttributes attributes) {
        try {
            found.add(new Found(file, paths.key(file), FileStamp.of(file, attributes)));
        } catch (IOException e) {
            skipped.add(file, Reason.UNREADABLE, SkippedFiles.why(e));
        }
    }

    /** A link may have any name: what it leads to may be a folder. */
    private void visitLink(Path link) {
        try {
            if (!link.toRealPath().startsWith(root)) {
                skipped.add(link, Reason.OUTSIDE_FOLDER, "is a link that leads out of the folder");
            } else if (isWanted(link)) {
                skipped.add(link, Reason.LINK, "is a link; what it leads to is indexed under its own name");
            }
        } catch (IOException e) {
            if (isWanted(link)) {
                skipped.add(link, Reason.UNREADABLE, "is a link that leads nowhere");
            }
        }
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
        if (file.equals(root)) {
            throw failure;
        }
        if (isOpen(file)) {
            skipped.add(file, Reason.UNREADABLE, SkippedFiles.why(failure));
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) {
        if (failure != null) {
            skipped.add(folder, Reason.UNREADABLE, "could not be listed to its end: " + SkippedFiles.why(failure));
        }
        return FileVisitResult.CONTINUE;
    }

    private boolean isWanted(Path file) {
        String name = name(file).toLowerCase(Locale.ROOT);
        return !EXCLUDED_FILES.contains(name) && kinds.stream().anyMatch(name::endsWith);
    }

    private static boolean isOpen(Path folder) {
        return !isHidden(folder) && !EXCLUDED_FOLDERS.contains(name(folder));
    }

    private static boolean isHidden(Path path) {
        return name(path).startsWith(".");
    }

    private static String name(Path path) {
        Path name = path.getFileName();
        return name == null ? "" : name.toString();
    }
}

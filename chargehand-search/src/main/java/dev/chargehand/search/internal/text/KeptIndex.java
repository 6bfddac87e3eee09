package dev.chargehand.search.internal.text;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.NIOFSDirectory;

/**
 * An index on disk, between the runs of programs. It is only ever loaded into memory and written, never searched where
 * it is: damage and other processes cannot reach a search.
 *
 * <p>Only the user may read it, since the texts of the files are in it. One process at a time may write.
 */
public final class KeptIndex {

    private static final int ATTEMPTS = 5;
    private static final String IGNORED = ".gitignore";

    private final Path folder;
    private final String identity;

    /** The index on disk cannot be used, for a reason that a sentence says. */
    public static final class UnusableException extends IOException {
        public UnusableException(String why, Throwable cause) {
            super(why, cause);
        }
    }

    public KeptIndex(Path folder, String identity) {
        this.folder = folder;
        this.identity = identity;
    }

    /**
     * Load the last commit; nothing if there is none yet.
     *
     * @throws UnusableException if it is damaged, or of another version or folder or other settings
     */
    public Optional<PassageIndex> load() throws IOException {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        ByteBuffersDirectory memory = new ByteBuffersDirectory();
        try (Directory disk = new NIOFSDirectory(folder)) {
            SegmentInfos commit = copy(disk, memory);
            if (!identity.equals(commit.getUserData().get(PassageWriter.IDENTITY))) {
                throw new UnusableException("of another version, or made with other settings", new IOException());
            }
            try (DirectoryReader reader = DirectoryReader.open(memory)) {
                for (LeafReaderContext leaf : reader.leaves()) {
                    leaf.reader().checkIntegrity();
                }
            }
            return Optional.of(PassageIndex.open(memory));
        } catch (IndexNotFoundException e) {
            return Optional.empty();
        } catch (UnusableException | ClosedByInterruptException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new UnusableException("damaged", e);
        }
    }

    /** Another process may put a newer commit in the place of one while it is copied. */
    private static SegmentInfos copy(Directory disk, Directory memory) throws IOException {
        for (int attempt = 1; ; attempt++) {
            SegmentInfos commit = SegmentInfos.readLatestCommit(disk);
            try {
                for (String file : commit.files(true)) {
                    memory.copyFrom(disk, file, file, IOContext.READONCE);
                }
                return commit;
            } catch (NoSuchFileException | FileNotFoundException e) {
                for (String copied : memory.listAll()) {
                    memory.deleteFile(copied);
                }
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /**
     * Open the index for writing.
     *
     * @param afresh whether what is there is to be thrown away
     * @throws org.apache.lucene.store.LockObtainFailedException if another process is writing
     */
    public Writing write(boolean afresh) throws IOException {
        make();
        Directory disk = new PrivateDirectory(folder);
        try {
            if (afresh) {
                clear(disk);
            }
            PassageWriter writer = PassageWriter.open(disk, identity);
            onlyForTheUser(folder.resolve(IndexWriter.WRITE_LOCK_NAME), "rw-------");
            return new Writing(disk, writer);
        } catch (IOException | RuntimeException e) {
            disk.close();
            throw e;
        }
    }

    /** A directory with its writer. */
    public record Writing(Directory disk, PassageWriter writer) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            try (Directory last = disk) {
                writer.close();
            }
        }
    }

    private void make() throws IOException {
        Path parent = folder.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        if (!Files.isDirectory(folder)) {
            if (isPosix()) {
                Files.createDirectory(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } else {
                Files.createDirectory(folder);
            }
        }
        onlyForTheUser(folder, "rwx------");
        Path ignored = folder.resolve(IGNORED);
        if (!Files.exists(ignored)) {
            Files.writeString(ignored, "*\n"); // texts belong to the files, not to version control again
            onlyForTheUser(ignored, "rw-------");
        }
    }

    /** Only files that Lucene made, and only while no other process writes. */
    private static void clear(Directory disk) throws IOException {
        try (Lock ignored = disk.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
            for (String file : disk.listAll()) {
                if (file.matches("(pending_)?segments(_\\w+)?|_\\w+\\.\\w+|_\\w+")) {
                    disk.deleteFile(file);
                }
            }
        }
    }

    private void onlyForTheUser(Path path, String rights) throws IOException {
        if (isPosix() && Files.exists(path)) {
            Set<PosixFilePermission> wanted = PosixFilePermissions.fromString(rights);
            if (!Files.getPosixFilePermissions(path).equals(wanted)) {
                Files.setPosixFilePermissions(path, wanted);
            }
        }
    }

    private boolean isPosix() {
        return folder.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Makes files that only the user may read. */
    private final class PrivateDirectory extends FilterDirectory {

        PrivateDirectory(Path path) throws IOException {
            super(new NIOFSDirectory(path));
        }

        @Override
        public IndexOutput createOutput(String name, IOContext context) throws IOException {
            IndexOutput output = super.createOutput(name, context);
            onlyForTheUser(folder.resolve(output.getName()), "rw-------");
            return output;
        }

        @Override
        public IndexOutput createTempOutput(String prefix, String suffix, IOContext context) throws IOException {
            IndexOutput output = super.createTempOutput(prefix, suffix, context);
            onlyForTheUser(folder.resolve(output.getName()), "rw-------");
            return output;
        }
    }
}

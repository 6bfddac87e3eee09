package dev.chargehand.search.internal.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;

/**
 * What changes when a file changes.
 *
 * @param changed when the file, its rights or its owner were changed, where the system reports it; else 0
 */
public record FileStamp(long size, long modified, long changed) {

    /** A change so shortly before the file was read need not show in its times, which are coarse on some disks. */
    private static final long COARSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    public static FileStamp of(Path file) throws IOException {
        return of(file, Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
    }

    public static FileStamp of(Path file, BasicFileAttributes attributes) throws IOException {
        long changed = file.getFileSystem().supportedFileAttributeViews().contains("unix")
                ? nanos((FileTime) Files.getAttribute(file, "unix:ctime", LinkOption.NOFOLLOW_LINKS))
                : 0;
        return new FileStamp(attributes.size(), nanos(attributes.lastModifiedTime()), changed);
    }

    /** Whether the file may have changed after it was looked at and still have this stamp. */
    public boolean isDoubtful(long lookedAtNanos) {
        return Math.max(modified, changed) > lookedAtNanos - COARSE_NANOS;
    }

    private static long nanos(FileTime time) {
        return time.to(TimeUnit.NANOSECONDS);
    }
}

package dev.chargehand.search;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.search.internal.folder.FolderIndex;
import dev.chargehand.search.internal.folder.IndexMaker;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The index of a folder, made on first use and again when it is due. Thread-safe. */
final class CurrentIndex {

    private final IndexMaker maker;
    private final long refreshNanos;
    private final String folder;

    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable FolderIndex index;
    private volatile long lookedAt;
    private volatile long looks;
    private volatile boolean closed;

    CurrentIndex(IndexMaker maker, Duration refreshAfter, String folder) {
        this.maker = maker;
        this.refreshNanos = refreshAfter.toNanos();
        this.folder = folder;
    }

    /** Return the index. While one search looks at the folder again, others use the index before. */
    FolderIndex get(boolean now) throws InterruptedException {
        FolderIndex before = index;
        long lastLook = looks;
        if (before != null && !now && (!isDue() || lock.isLocked())) {
            return before;
        }
        lock.lockInterruptibly();
        try {
            if (closed) {
                throw closedException();
            }
            FolderIndex there = index;
            long thisLook = looks;
            boolean lookedMeanwhile = thisLook != lastLook;
            if (there == null || (!lookedMeanwhile && (now || isDue()))) {
                FolderIndex made = maker.look(there);
                lookedAt = System.nanoTime();
                looks = thisLook + 1;
                index = made;
                if (there != null && there.passages() != made.passages()) {
                    there.passages().close();
                }
                return made;
            }
            return there;
        } catch (IOException e) {
            throw failed(e);
        } finally {
            lock.unlock();
        }
    }

    private boolean isDue() {
        return System.nanoTime() - lookedAt >= refreshNanos;
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            FolderIndex last = index;
            index = null;
            if (last != null) {
                last.passages().close();
            }
        } catch (IOException e) {
            throw failed(e);
        } finally {
            lock.unlock();
        }
    }

    ChargehandException failed(IOException e) {
        return new ChargehandException(
                "search-failed", false, "The search over '" + folder + "' failed: " + e.getMessage(), e);
    }

    private ChargehandException closedException() {
        return new ChargehandException(
                "search-closed", false, "The search over '" + folder + "' is closed; open another one.", null);
    }
}

package dev.chargehand.search;

import java.util.List;

/**
 * What a {@link FileSearch} has indexed, and what it left out.
 *
 * @param files how many files were read, empty ones included
 * @param passages how many passages they gave
 * @param skipped what was left out although its name is of an indexed kind, by path; hidden and excluded folders and
 *     other kinds of files are not listed
 */
public record SearchReport(int files, int passages, List<Skipped> skipped) {

    public SearchReport {
        skipped = List.copyOf(skipped);
    }

    /** Why a file, or a part of it, is not indexed. */
    public enum Reason {
        /** A symbolic link that leads out of the folder, or a file that a link in its path has led out. */
        OUTSIDE_FOLDER,
        /** A symbolic link to something in the folder, which is indexed under its own name if it is of an indexed kind. */
        LINK,
        /** A device, a pipe or a socket. */
        NOT_A_FILE,
        /** No permission, a broken link, a file that vanished, or a read error. */
        UNREADABLE,
        /** Bytes that are no text. */
        BINARY,
        /** Only the beginning of the file is indexed: it is larger than the limit for one file. */
        TRUNCATED,
        /** The limit for the number of files, or of bytes of all files, was reached before it. */
        TOO_MUCH
    }

    /**
     * Something that was left out.
     *
     * @param file the path as it is shown to the user
     * @param reason why
     * @param detail the reason as a sentence
     */
    public record Skipped(String file, Reason reason, String detail) {}
}

package dev.chargehand.search.report;

import java.util.List;

/**
 * The indexed and skipped files of a file search.
 *
 * @param files how many files were read, empty ones included
 * @param passages how many passages they gave
 * @param read how many files, of those and of the skipped ones, were read at the last look at the folder; what is known
 *     of the others is from before, possibly from an index that was kept
 * @param removed how many files have been taken out of the index at the last look, because they are gone
 * @param skipped what was left out although its name is of an indexed kind, by path; hidden and excluded folders and
 *     other kinds of files are not listed
 * @param notes what is to be known of the index itself, as sentences: that a kept one was made again, or could not be
 *     kept; mostly none
 */
public record SearchReport(int files, int passages, int read, int removed, List<Skipped> skipped, List<String> notes) {

    public SearchReport {
        skipped = List.copyOf(skipped);
        notes = List.copyOf(notes);
    }

    /** Why a file, or a part of it, is not indexed. */
    public enum Reason {
        /** A symbolic link that leads out of the folder, or a file that a link in its path has led out. */
        OUTSIDE_FOLDER,
        /**
         * A symbolic link to something in the folder, which is indexed under its own name if it is of an indexed kind.
         */
        LINK,
        /** A device, a pipe or a socket. */
        NOT_A_FILE,
        /** No permission, a broken link, a file that vanished, or a read error. */
        UNREADABLE,
        /** Bytes that are no text. */
        BINARY,
        /** Only the start of the file is indexed: it is larger, or has more text, than the limit for one file. */
        TRUNCATED,
        /** A document that needs a password, or an older format under a newer name. */
        ENCRYPTED,
        /** A document that is not what its name says, or breaks the rules of its format. */
        DAMAGED,
        /** A document without any text, such as one of scanned pages. */
        NO_TEXT,
        /** Reading the document would take more bytes, memory or time than is allowed. */
        TOO_COSTLY,
        /** The library or process that reads such documents is missing. */
        UNSUPPORTED,
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

package dev.chargehand.thread;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.json.Json;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A thread as a store lists it, without its messages.
 *
 * <p>A store builds records with {@link #builder} from what it has stored. Immutable; two records are equal if all
 * their values are.
 */
public final class ThreadRecord {

    private final Builder values;

    private ThreadRecord(Builder values) {
        this.values = values;
    }

    /**
     * A thread that another one was copied from.
     *
     * @param threadId its id
     * @param owner whom it belongs to
     */
    public record Source(String threadId, ThreadOwner owner) {}

    /**
     * Which threads a store lists.
     *
     * @param owner whom they belong to
     * @param copyOf the thread that they were copied from, or null for all threads of the owner
     * @param offset how many to skip
     * @param limit how many at most
     */
    public record Filter(ThreadOwner owner, @Nullable String copyOf, int offset, int limit) {}

    /** Create a builder of the record of a new thread: it has no messages, no title and no metadata. */
    public static Builder builder(String threadId, ThreadOwner owner, Instant createdAt) {
        return new Builder(threadId, owner, createdAt);
    }

    /** Return its id. */
    public String threadId() {
        return values.threadId;
    }

    /** Return whom it belongs to. */
    public ThreadOwner owner() {
        return values.owner;
    }

    /** Return the run whose delegation made it; empty for a conversation. */
    public Optional<String> parentRunId() {
        return Optional.ofNullable(values.parentRunId);
    }

    /** Return the call of that run; empty for a conversation. */
    public Optional<String> parentCallId() {
        return Optional.ofNullable(values.parentCallId);
    }

    /** Return the position of its next message: the number of its messages, those that were deleted included. */
    public long length() {
        return values.length;
    }

    /** Return its title, if it has one. */
    public Optional<String> title() {
        return Optional.ofNullable(values.title);
    }

    /** Return what gave it its title; empty if it has none. */
    public Optional<TitleSource> titleSource() {
        return Optional.ofNullable(values.titleSource);
    }

    /** Return what the application keeps with it: a JSON object, by default without keys. */
    public Json metadata() {
        return values.metadata;
    }

    /**
     * Return the thread that it was copied from; empty if it is not a copy, or that thread was deleted. It may belong to another
     * owner.
     */
    public Optional<Source> source() {
        return Optional.ofNullable(values.source);
    }

    /**
     * Return, for a copy, its length when it was made: its messages before that position are those of the thread that it was
     * copied from. Empty if it is not a copy; it stays when that thread is deleted.
     */
    public OptionalLong copiedLength() {
        return values.copiedLength == null ? OptionalLong.empty() : OptionalLong.of(values.copiedLength);
    }

    /** Return when it was made, or its first message was appended. */
    public Instant createdAt() {
        return values.createdAt;
    }

    /** Return when a message was last appended, or title or metadata last changed. */
    public Instant updatedAt() {
        return values.updatedAt;
    }

    /** Return this record after a change. */
    @CheckReturnValue
    public ThreadRecord changed(ThreadChange change, Instant at) {
        return new Builder(values)
                .title(change.titleAfter(values.title), change.sourceAfter(values.titleSource))
                .metadata(change.metadataAfter(values.metadata))
                .updatedAt(at)
                .build();
    }

    /** Return this record after messages were appended. */
    @CheckReturnValue
    public ThreadRecord lengthened(long newLength, Instant at) {
        return new Builder(values).length(newLength).updatedAt(at).build();
    }

    /** Return this record without a title. */
    @CheckReturnValue
    public ThreadRecord untitled() {
        return new Builder(values).title(null).build();
    }

    /**
     * Return this record for a copy of a thread: without a title that messages gave it, if that thread has another one by now.
     *
     * @param copied how many of its first messages the copy has, those that were deleted included
     */
    @CheckReturnValue
    public ThreadRecord copiedFrom(ThreadRecord source, long copied) {
        boolean keepsTitle =
                values.titleSource == TitleSource.USER || source.title().equals(title());
        return new Builder(keepsTitle ? values : untitled().values)
                .copied(new Source(source.threadId(), source.owner()), copied)
                .length(copied)
                .build();
    }

    /** Return this record of a copy with the thread that it was copied from; with null as after the deletion of that. */
    @CheckReturnValue
    public ThreadRecord ofSource(@Nullable Source source) {
        return Objects.equals(source, values.source)
                ? this
                : new Builder(values).copied(source, values.copiedLength).build();
    }

    /** Return this record with a title, unless it has one of this source or of one that replaces this source. */
    @CheckReturnValue
    public ThreadRecord titled(String title, TitleSource source) {
        return source.replaces(values.titleSource)
                ? new Builder(values).title(title, source).build()
                : this;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ThreadRecord thread && values.all().equals(thread.values.all());
    }

    @Override
    public int hashCode() {
        return values.all().hashCode();
    }

    @Override
    public String toString() {
        return "ThreadRecord" + values.all();
    }

    /** Builds a {@link ThreadRecord}. Not thread-safe. */
    public static final class Builder {

        private static final Json NO_METADATA = Json.parse("{}");

        private final String threadId;
        private final ThreadOwner owner;
        private final Instant createdAt;
        private @Nullable String parentRunId;
        private @Nullable String parentCallId;
        private long length;
        private @Nullable String title;
        private @Nullable TitleSource titleSource;
        private Json metadata = NO_METADATA;
        private Instant updatedAt;
        private @Nullable Source source;
        private @Nullable Long copiedLength;

        private Builder(String threadId, ThreadOwner owner, Instant createdAt) {
            this.threadId = threadId;
            this.owner = owner;
            this.createdAt = createdAt;
            this.updatedAt = createdAt;
        }

        private Builder(Builder other) {
            this(other.threadId, other.owner, other.createdAt);
            this.parentRunId = other.parentRunId;
            this.parentCallId = other.parentCallId;
            this.length = other.length;
            this.title = other.title;
            this.titleSource = other.titleSource;
            this.metadata = other.metadata;
            this.updatedAt = other.updatedAt;
            this.source = other.source;
            this.copiedLength = other.copiedLength;
        }

        /** Set the run whose delegation made it, and the call of that run. Default: null, for a conversation. */
        public Builder parent(@Nullable String runId, @Nullable String callId) {
            parentRunId = runId;
            parentCallId = callId;
            return this;
        }

        /** Set the position of its next message. Default: 0. */
        public Builder length(long value) {
            length = value;
            return this;
        }

        /** Set its title, which is the application's. Default: null, for none. */
        public Builder title(@Nullable String value) {
            return title(value, TitleSource.USER);
        }

        /**
         * Set its title and what gave it.
         *
         * @param value the title, or null for none
         * @param source the source, or null for none; a title without a source is the application's
         */
        public Builder title(@Nullable String value, @Nullable TitleSource source) {
            title = value;
            titleSource = value == null ? null : source == null ? TitleSource.USER : source;
            return this;
        }

        /** Set what the application keeps with it, a JSON object. Default: an object without keys. */
        public Builder metadata(Json value) {
            metadata = value;
            return this;
        }

        /** Set when it was last changed. Default: when it was made. */
        public Builder updatedAt(Instant value) {
            updatedAt = value;
            return this;
        }

        /**
         * Set what it is a copy of. Default: nulls, for a thread that is not a copy.
         *
         * @param from the thread that it was copied from, or null if that was deleted
         * @param atLength its length when it was made, or null if it is not a copy
         */
        public Builder copied(@Nullable Source from, @Nullable Long atLength) {
            source = from;
            copiedLength = atLength;
            return this;
        }

        /** Build the record. The builder may be used again. */
        public ThreadRecord build() {
            return new ThreadRecord(new Builder(this));
        }

        private List<@Nullable Object> all() {
            return Arrays.asList(
                    threadId,
                    owner,
                    parentRunId,
                    parentCallId,
                    length,
                    title,
                    titleSource,
                    metadata,
                    createdAt,
                    updatedAt,
                    source,
                    copiedLength);
        }
    }
}

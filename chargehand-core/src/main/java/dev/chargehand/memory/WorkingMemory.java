package dev.chargehand.memory;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A text that an agent keeps up to date, such as what it knows about a user. Its model sees the text in each run and
 * changes it with the tool {@code updateWorkingMemory}. Immutable and thread-safe.
 *
 * <p>The text has a template, which the model fills in and edits, or a JSON Schema, which it must fit. It is at most
 * 16 KB long. With {@link #wholeText()} the model writes the whole text each time instead of edits.
 */
public final class WorkingMemory {

    /** The name of the tool with which a model changes its working memory. */
    public static final String TOOL = "updateWorkingMemory";

    /** The template that is used without another one. */
    public static final String DEFAULT_TEMPLATE = """
            # About the user
            - Name:
            - Place:
            - Work:
            - Interests:
            - Goals:
            - Events:
            - Facts:
            - Projects:
            """;

    /** How long the text of a working memory may be, in bytes of UTF-8. */
    public static final int MOST_BYTES = 16 * 1024;

    private final @Nullable String template;
    private final @Nullable JsonSchema schema;
    private final Scope scope;
    private final boolean whole;

    private WorkingMemory(@Nullable String template, @Nullable JsonSchema schema, Scope scope, boolean whole) {
        this.template = template;
        this.schema = schema;
        this.scope = scope;
        this.whole = whole;
    }

    /** Return a working memory with {@link #DEFAULT_TEMPLATE}, one for each resource. */
    public static WorkingMemory template() {
        return template(DEFAULT_TEMPLATE);
    }

    /**
     * Return a working memory with a template, one for each resource.
     *
     * @param markdown the text before the first edit, of at most {@link #MOST_BYTES}
     * @throws ConfigurationException if it is blank, or longer
     */
    public static WorkingMemory template(String markdown) {
        if (Given.value("workingMemory: the template", markdown).isBlank()) {
            throw new ConfigurationException(
                    "The template of a working memory is blank; write one, or use template().");
        }
        int bytes = markdown.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MOST_BYTES) {
            throw new ConfigurationException("The template of a working memory has " + bytes + " bytes, and at most "
                    + MOST_BYTES + " are allowed, with what the model adds.");
        }
        return new WorkingMemory(markdown, null, Scope.RESOURCE, false);
    }

    /**
     * Return a working memory that is an object of a type, one for each resource.
     *
     * @param type a record
     * @throws ConfigurationException if its JSON form is not an object, or cannot be read as the type
     */
    public static WorkingMemory schema(Class<?> type) {
        return schema(JsonSchema.ofReadable(
                "workingMemory: the type", JsonType.of(Given.value("workingMemory: the type", type))));
    }

    /**
     * Return a working memory that is an object, one for each resource.
     *
     * @throws ConfigurationException if the schema does not allow objects, or has a mistake; see {@link JsonSchema#keywordMistakes}
     */
    public static WorkingMemory schema(JsonSchema schema) {
        List<String> mistakes = Given.value("workingMemory: the schema", schema).keywordMistakes();
        if (!mistakes.isEmpty()) {
            throw new ConfigurationException(
                    "The schema of a working memory has a mistake at " + String.join("; at ", mistakes) + ".");
        }
        if (!schema.allowsObjects()) {
            throw new ConfigurationException("The schema of a working memory must allow an object.");
        }
        return new WorkingMemory(null, schema, Scope.RESOURCE, false);
    }

    /** Return this working memory with another scope: one text for each resource, the default, or for each thread. */
    @CheckReturnValue
    public WorkingMemory scope(Scope value) {
        return new WorkingMemory(template, schema, Given.value("workingMemory: scope", value), whole);
    }

    /**
     * Return this working memory with a tool that replaces the whole text; by default the model sends edits. A model that makes
     * poor edits may do better with it, but what it leaves out is lost, and the whole text costs tokens at each change.
     *
     * @throws ConfigurationException if this one has a schema, whose changes are a JSON merge patch
     */
    @CheckReturnValue
    public WorkingMemory wholeText() {
        if (schema != null) {
            throw new ConfigurationException("wholeText() is for a working memory with a template; one with a schema is"
                    + " changed by a JSON merge patch.");
        }
        return new WorkingMemory(template, null, scope, true);
    }

    /** Return the template, if it has one. */
    public Optional<String> markdown() {
        return Optional.ofNullable(template);
    }

    /** Return the schema, if it has one. */
    public Optional<JsonSchema> schema() {
        return Optional.ofNullable(schema);
    }

    /** Return for whom there is one text. */
    public Scope scope() {
        return scope;
    }

    /** Return whether the model writes the whole text at each change. */
    public boolean isWholeText() {
        return whole;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof WorkingMemory that
                && Objects.equals(template, that.template)
                && Objects.equals(schema, that.schema)
                && scope == that.scope
                && whole == that.whole;
    }

    @Override
    public int hashCode() {
        return Objects.hash(template, schema, scope, whole);
    }

    @Override
    public String toString() {
        return "WorkingMemory[" + (schema == null ? "template" : "schema") + ", scope=" + scope
                + (whole ? ", whole text" : "") + "]";
    }
}

package dev.chargehand.openapi;

import dev.chargehand.document.Setting;
import dev.chargehand.json.JsonSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tool that is one operation of an HTTP API.
 *
 * @param name the tool's name
 * @param method such as {@code GET}
 * @param base the base URL of the paths, with environment variables not yet replaced
 * @param path the path, with {@code {name}} for a parameter
 * @param description when and how to use it, for the model
 * @param parameters what a call fills in
 * @param body what it sends, or null for nothing
 * @param input the schema of a call's arguments
 * @param approval whether every call waits for approval
 * @param repeatable whether a call that a crash interrupted may be made again
 * @param polling whether the model may make the same call many times in a row
 */
record Operation(
        String name,
        String method,
        Setting base,
        String path,
        String description,
        List<Parameter> parameters,
        @Nullable Body body,
        JsonSchema input,
        boolean approval,
        boolean repeatable,
        boolean polling)
        implements OpenApiOperation {

    Operation {
        parameters = List.copyOf(parameters);
    }

    @Override
    public String server() {
        return base.text();
    }

    /** The place of a parameter in a request. */
    enum Place {
        PATH,
        QUERY,
        HEADER
    }

    /**
     * How a value is written, by the names of OpenAPI; {@code JSON} is for a parameter with content instead of style.
     */
    enum Style {
        SIMPLE,
        LABEL,
        MATRIX,
        FORM,
        SPACE_DELIMITED,
        PIPE_DELIMITED,
        DEEP_OBJECT,
        JSON
    }

    /** How a body is written. */
    enum Form {
        JSON,
        FORM_URLENCODED,
        TEXT
    }

    /**
     * A parameter of a request.
     *
     * @param argument the argument of a call that it is taken from
     * @param name what it is called in the request
     * @param explode whether each item of a list, or each field of an object, is written for itself
     * @param allowReserved whether characters that mean something in an address stay as they are, if they are harmless
     * @param required whether there must be one
     */
    record Parameter(
            String argument,
            String name,
            Place place,
            Style style,
            boolean explode,
            boolean allowReserved,
            boolean required) {}

    /**
     * The body of a request.
     *
     * @param argument the argument of a call that it is taken from
     * @param mediaType what it is sent as
     */
    record Body(String argument, String mediaType, Form form) {}
}

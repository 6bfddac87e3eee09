package dev.chargehand.tool;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a tool method: their schema, and how arguments are read.
 *
 * @param parameters in their order, the context of the call among them
 */
record MethodArguments(List<Parameter> parameters) {

    /**
     * Take the parameters of a method.
     *
     * @throws ConfigurationException if one has no name, a type that is not known or nullness that cannot be, or if two
     *     are contexts
     */
    static MethodArguments of(Method method) {
        List<Parameter> parameters = List.of(method.getParameters());
        if (parameters.stream().filter(MethodArguments::isContext).count() > 1) {
            throw new ConfigurationException("at most one parameter may be a ToolContext.");
        }
        for (int i = 0; i < parameters.size(); i++) {
            if (!isContext(parameters.get(i))) {
                requireUsable(parameters.get(i), i + 1);
            }
        }
        return new MethodArguments(parameters);
    }

    private static void requireUsable(Parameter parameter, int position) {
        if (!parameter.isNamePresent()) {
            throw new ConfigurationException("the class file has no name for parameter " + position
                    + "; compile the class with the option -parameters (Maven: <parameters>true</parameters> for the compiler"
                    + " plugin; Gradle: options.compilerArgs.add(\"-parameters\")).");
        }
        if (hasVariable(parameter.getParameterizedType())) {
            throw new ConfigurationException("the type " + parameter.getParameterizedType() + " of parameter '"
                    + parameter.getName() + "' has a type variable; use a type that has none.");
        }
        if (parameter.getType().isPrimitive() && isNullable(parameter)) {
            throw new ConfigurationException("parameter '" + parameter.getName() + "' is a @Nullable "
                    + parameter.getType() + ", which cannot be null; use the class for it, such as Integer for int.");
        }
        JsonType.of(parameter.getParameterizedType()).obstacle().ifPresent(obstacle -> {
            throw new ConfigurationException(
                    "the type of parameter '" + parameter.getName() + "' cannot be read from JSON: " + obstacle + ".");
        });
    }

    private static boolean isContext(Parameter parameter) {
        return parameter.getType().equals(ToolContext.class);
    }

    private static boolean isNullable(Parameter parameter) {
        return parameter.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    private static boolean hasVariable(Type type) {
        return switch (type) {
            case TypeVariable<?> variable -> true;
            case GenericArrayType array -> hasVariable(array.getGenericComponentType());
            case ParameterizedType generic ->
                Arrays.stream(generic.getActualTypeArguments()).anyMatch(MethodArguments::hasVariable);
            default -> false;
        };
    }

    JsonSchema schema() {
        return JsonSchema.ofParameters(
                parameters.stream().filter(parameter -> !isContext(parameter)).toList());
    }

    /**
     * Read the arguments of a call; a missing one is null or an empty {@link Optional}.
     *
     * @throws InvalidJsonException if one does not fit its parameter
     */
    Values read(Json arguments) {
        Map<String, Json> fields = arguments.fields();
        @Nullable Object[] values = new @Nullable Object[parameters.size()];
        for (int i = 0; i < values.length; i++) {
            Parameter parameter = parameters.get(i);
            values[i] = isContext(parameter) ? null : value(parameter, fields.get(parameter.getName()));
        }
        return new Values(this, values);
    }

    private static @Nullable Object value(Parameter parameter, @Nullable Json argument) {
        if (argument == null) {
            return parameter.getType().equals(Optional.class) ? Optional.empty() : null;
        }
        try {
            return argument.as(JsonType.of(parameter.getParameterizedType()));
        } catch (InvalidJsonException e) {
            throw new InvalidJsonException("Argument '" + parameter.getName() + "': " + e.getMessage(), e);
        }
    }

    /** What a call is made with, once the context of the call is known. */
    static final class Values {

        private final MethodArguments arguments;
        private final @Nullable Object[] values;

        private Values(MethodArguments arguments, @Nullable Object[] values) {
            this.arguments = arguments;
            this.values = values;
        }

        /** Return the values in the order of the parameters, with the context where the method takes it. */
        @Nullable
        Object[] with(ToolContext context) {
            @Nullable Object[] all = values.clone();
            for (int i = 0; i < all.length; i++) {
                if (isContext(arguments.parameters().get(i))) {
                    all[i] = context;
                }
            }
            return all;
        }
    }
}

package dev.chargehand.json;

import com.github.victools.jsonschema.generator.MemberScope;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.module.jakarta.validation.JakartaValidationModule;
import com.github.victools.jsonschema.module.jakarta.validation.JakartaValidationOption;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes the constraints of Jakarta Validation into schemas, if the application has them on its class path. */
final class JakartaConstraints extends JakartaValidationModule {

    /** Schemas are checked without formats, so that an address needs a pattern too. */
    private static final String ADDRESS = "^[^@\\s]+@[^@\\s]+$";

    private static final String NOT_BLANK = "\\S";

    private JakartaConstraints() {
        super(JakartaValidationOption.INCLUDE_PATTERN_EXPRESSIONS);
    }

    static void addTo(SchemaGeneratorConfigBuilder config) {
        config.with(new JakartaConstraints());
    }

    @Override
    protected @Nullable String resolveStringPattern(MemberScope<?, ?> member) {
        if (!member.getType().isInstanceOf(CharSequence.class)) {
            return null;
        }
        Pattern pattern = getAnnotationFromFieldOrGetter(member, Pattern.class, Pattern::groups);
        if (pattern != null && pattern.flags().length == 0) { // a pattern in a schema has no flags
            return whole(pattern.regexp());
        }
        Email email = getAnnotationFromFieldOrGetter(member, Email.class, Email::groups);
        if (email != null && email.flags().length == 0) {
            return email.regexp().equals(".*") ? ADDRESS : whole(email.regexp());
        }
        return getAnnotationFromFieldOrGetter(member, NotBlank.class, NotBlank::groups) == null ? null : NOT_BLANK;
    }

    /** A pattern of Jakarta Validation matches the whole text, a pattern of a schema any part of it. */
    private static String whole(String pattern) {
        return "^(?:" + pattern + ")$";
    }
}

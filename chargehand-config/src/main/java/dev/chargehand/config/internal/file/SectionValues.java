package dev.chargehand.config.internal.file;

import dev.chargehand.document.Position;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Passes values of a section to a builder, which checks them. */
final class SectionValues {

    private SectionValues() {}

    /** Pass a value on, unless it is missing. */
    static <T> void pass(@Nullable T value, Consumer<T> setter) {
        if (value != null) {
            setter.accept(value);
        }
    }

    /** Return the place of a list; if there is something else, its place, at which a mistake is noted already. */
    static Position placeOfList(Section section, String key) {
        return section.isList(key) ? section.at(key) : section.valueAt(key);
    }

    static String[] texts(List<Setting> settings) {
        return settings.stream().map(Setting::text).toArray(String[]::new);
    }
}

//! How is one of a few things told, the same everywhere?

/// Declares an enum whose values are told in one way: by `word`, in text, and in JSON.
///
/// ```
/// # use serde::Serialize;
/// expr::in_words! {
///     /// How a door is.
///     pub enum Door {
///         /// One can go in.
///         Open = "open",
///         /// One cannot.
///         Closed = "closed",
///     }
/// }
/// assert_eq!(format!("{} {:>7}", Door::Open, Door::Closed), "open  closed");
/// assert_eq!(Door::Open.word(), "open");
/// ```
#[macro_export]
macro_rules! in_words {
    ($(#[$about:meta])* pub enum $name:ident { $($(#[$meaning:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$meaning])* $variant,)*
        }

        impl $name {
            /// What it is called.
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.word())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }
    };
}

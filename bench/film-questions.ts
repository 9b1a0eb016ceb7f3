/** The operations of a film database: a catalogue whose operations want ids, while its questions give names. */
export const FILM_OPERATIONS = `
GET /movie/{movie_id} | Get Details | Get the primary information about a movie. Supports append_to_response.
GET /movie/{movie_id}/alternative_titles | Get Alternative Titles | Get all of the alternative titles for a movie.
GET /movie/{movie_id}/credits | Get Credits | Get the cast and crew for a movie.
GET /movie/{movie_id}/external_ids | Get External IDs | Get the external ids for a movie. We currently support Facebook, IMDb, Instagram and Twitter.
GET /movie/{movie_id}/images | Get Images | Get the images that belong to a movie. Querying images with a language parameter will filter the results.
GET /movie/{movie_id}/keywords | Get Keywords | Get the keywords that have been added to a movie.
GET /movie/{movie_id}/lists | Get Lists | Get a list of lists that this movie belongs to.
GET /movie/{movie_id}/recommendations | Get Recommendations | Get a list of recommended movies for a movie.
GET /movie/{movie_id}/release_dates | Get Release Dates | Get the release date along with the certification for a movie.
GET /movie/{movie_id}/reviews | Get Reviews | Get the user reviews for a movie.
GET /movie/{movie_id}/similar | Get Similar Movies | Get a list of similar movies. This is not the same as the recommendation system.
GET /movie/{movie_id}/translations | Get Translations | Get a list of translations that have been created for a movie.
GET /movie/{movie_id}/videos | Get Videos | Get the videos that have been added to a movie.
GET /movie/latest | Get Latest | Get the most newly created movie. This is a live response and will continuously change.
GET /movie/now_playing | Get Now Playing | Get a list of movies in theatres. This is a release type query that looks for all movies that have a release type of 2 or 3 within the specified date range.
GET /movie/popular | Get Popular | Get a list of the current popular movies on TMDb. This list updates daily.
GET /movie/top_rated | Get Top Rated | Get the top rated movies on TMDb.
GET /movie/upcoming | Get Upcoming | Get a list of upcoming movies in theatres.
GET /person/{person_id} | Get Details | Get the primary person details by id.
GET /person/{person_id}/movie_credits | Get Movie Credits | Get the movie credits for a person.
GET /person/{person_id}/tv_credits | Get TV Credits | Get the TV show credits for a person.
GET /person/{person_id}/combined_credits | Get Combined Credits | Get the movie and TV credits together in a single response.
GET /person/{person_id}/external_ids | Get External IDs | Get the external ids for a person.
GET /person/{person_id}/images | Get Images | Get the images for a person.
GET /person/popular | Get Popular | Get the list of popular people on TMDb. This list updates daily.
GET /tv/{tv_id} | Get Details | Get the primary TV show details by id.
GET /tv/{tv_id}/credits | Get Credits | Get the credits (cast and crew) that have been added to a TV show.
GET /tv/{tv_id}/images | Get Images | Get the images that belong to a TV show.
GET /tv/{tv_id}/keywords | Get Keywords | Get the keywords that have been added to a TV show.
GET /tv/{tv_id}/recommendations | Get Recommendations | Get the list of TV show recommendations for this item.
GET /tv/{tv_id}/reviews | Get Reviews | Get the reviews for a TV show.
GET /tv/{tv_id}/similar | Get Similar TV Shows | Get a list of similar TV shows. These items are assembled by looking at keywords and genres.
GET /tv/{tv_id}/videos | Get Videos | Get the videos that have been added to a TV show.
GET /tv/{tv_id}/season/{season_number} | Get Details | Get the TV season details by id.
GET /tv/{tv_id}/season/{season_number}/credits | Get Credits | Get the credits for TV season.
GET /tv/{tv_id}/season/{season_number}/images | Get Images | Get the images that belong to a TV season.
GET /tv/{tv_id}/season/{season_number}/episode/{episode_number} | Get Details | Get the TV episode details by id.
GET /tv/{tv_id}/season/{season_number}/episode/{episode_number}/credits | Get Credits | Get the credits (cast, crew and guest stars) for a TV episode.
GET /tv/{tv_id}/season/{season_number}/episode/{episode_number}/images | Get Images | Get the images that belong to a TV episode.
GET /tv/airing_today | Get TV Airing Today | Get a list of TV shows that are airing today. This query is purely day based as we do not currently support airing times.
GET /tv/on_the_air | Get TV On The Air | Get a list of shows that are currently on the air. This query looks for any TV show that has an episode with an air date in the next 7 days.
GET /tv/popular | Get Popular | Get a list of the current popular TV shows on TMDb. This list updates daily.
GET /tv/top_rated | Get Top Rated | Get a list of the top rated TV shows on TMDb.
GET /tv/latest | Get Latest | Get the most newly created TV show.
GET /search/collection | Search Collections | Search for collections.
GET /search/company | Search Companies | Search for companies.
GET /search/keyword | Search Keywords | Search for keywords.
GET /search/movie | Search Movies | Search for movies.
GET /search/multi | Multi Search | Search multiple models in a single request. Multi search currently supports searching for movies, tv shows and people in a single request.
GET /search/person | Search People | Search for people.
GET /search/tv | Search TV Shows | Search for a TV show.
GET /collection/{collection_id} | Get Details | Get collection details by id.
GET /collection/{collection_id}/images | Get Images | Get the images for a collection by id.
GET /company/{company_id} | Get Details | Get a companies details by id.
GET /company/{company_id}/images | Get Images | Get a companies logos by id.
GET /credit/{credit_id} | Get Details | Get a movie or TV credit details by id.
GET /discover/movie | Movie Discover | Discover movies by different types of data like average rating, number of votes, genres and certifications.
GET /discover/tv | TV Discover | Discover TV shows by different types of data like average rating, number of votes, genres, the network they aired on and air dates.
GET /genre/movie/list | Get Movie List | Get the list of official genres for movies.
GET /genre/tv/list | Get TV List | Get the list of official genres for TV shows.
GET /keyword/{keyword_id}/movies | Get Movies | Get the movies that belong to a keyword.
GET /network/{network_id} | Get Details | Get the details of a network.
GET /network/{network_id}/images | Get Images | Get the TV network logos by id.
GET /review/{review_id} | Get Details | Retrieve the details of a movie or TV show review.
GET /trending/{media_type}/{time_window} | Get Trending | Get the daily or weekly trending items. The daily trending list tracks items over the period of a day while items have a 24 hour half life.
`

/** Questions about films, people and series, with every operation that an answer needs; half of them were looked at. */
export const FILM_QUESTIONS = `
where was Greta Gerwig born? | GET /search/person + GET /person/{person_id}
which pictures did Hayao Miyazaki make before 1990? | GET /search/person + GET /person/{person_id}/movie_credits
who played the villain in Blade Runner 2049? | GET /search/movie + GET /movie/{movie_id}/credits
who composed the music of the film Arrival? | GET /search/movie + GET /movie/{movie_id}/credits
how long does the movie Heat run? | GET /search/movie + GET /movie/{movie_id}
what did people write about the film Parasite? | GET /search/movie + GET /movie/{movie_id}/reviews
I loved Amélie, suggest something alike | GET /search/movie + GET /movie/{movie_id}/similar
show me a trailer of Dune | GET /search/movie + GET /movie/{movie_id}/videos
when does Oppenheimer come out in France? | GET /search/movie + GET /movie/{movie_id}/release_dates
what is on in cinemas at the moment? | GET /movie/now_playing
which films are the best of all time | GET /movie/top_rated
posters of the most popular film right now | GET /movie/popular + GET /movie/{movie_id}/images
who directed the film that will hit theatres next? | GET /movie/upcoming + GET /movie/{movie_id}/credits
how many seasons does Dark have? | GET /search/tv + GET /tv/{tv_id}
who stars in the series The Wire? | GET /search/tv + GET /tv/{tv_id}/credits
what happens in the third episode of season two of Severance? | GET /search/tv + GET /tv/{tv_id}/season/{season_number}/episode/{episode_number}
shows like Fargo | GET /search/tv + GET /tv/{tv_id}/similar
which series are on television today? | GET /tv/airing_today
what is the highest rated series and who made it | GET /tv/top_rated + GET /tv/{tv_id}
which TV shows has Bryan Cranston been in? | GET /search/person + GET /person/{person_id}/tv_credits
a photo of Tilda Swinton please | GET /search/person + GET /person/{person_id}/images
logo of the company Pixar | GET /search/company + GET /company/{company_id}/images
in which country is A24's head office | GET /search/company + GET /company/{company_id}
how many films belong to the Alien collection? | GET /search/collection + GET /collection/{collection_id}
cover picture of the Toy Story collection | GET /search/collection + GET /collection/{collection_id}/images
which keywords describe Inception? | GET /search/movie + GET /movie/{movie_id}/keywords
films about "time travel" by keyword | GET /search/keyword + GET /keyword/{keyword_id}/movies
who is the most popular person at the moment and in which movies did they play? | GET /person/popular + GET /person/{person_id}/movie_credits
list of genres for movies | GET /genre/movie/list
what is trending this week? | GET /trending/{media_type}/{time_window}
guest stars of the first episode of the first season of Friends | GET /search/tv + GET /tv/{tv_id}/season/{season_number}/episode/{episode_number}/credits
when did the first season of Lost start? | GET /search/tv + GET /tv/{tv_id}/season/{season_number}
pictures of season 4 of Breaking Bad | GET /search/tv + GET /tv/{tv_id}/season/{season_number}/images
what is Seven called in other countries? | GET /search/movie + GET /movie/{movie_id}/alternative_titles
comedies of 2020 with a good rating | GET /discover/movie
reviews of the most popular TV series | GET /tv/popular + GET /tv/{tv_id}/reviews
recommend me a movie because I liked Her | GET /search/movie + GET /movie/{movie_id}/recommendations
does Christopher Nolan have an Instagram account? | GET /search/person + GET /person/{person_id}/external_ids
what was the last film Denis Villeneuve directed, and who acted in it? | GET /search/person + GET /person/{person_id}/movie_credits + GET /movie/{movie_id}/credits
who produced the newest movie in the database | GET /movie/latest + GET /movie/{movie_id}/credits
`
